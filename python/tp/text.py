"""Text to token ids and back, as a checkpoint directory's tokenizer does it."""

from pathlib import Path

from .checkpoint import read_json
from .errors import UserError


def read_text(path):
    """The text of a file in UTF-8, its ends of lines as they are."""
    try:
        return Path(path).read_bytes().decode("utf-8")
    except OSError as error:
        raise UserError(f"'{path}' cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"'{path}' is not text in UTF-8: {error}") from error


class Text:
    """The tokenizer and chat template of a Hugging Face directory."""

    def __init__(self, directory):
        from tokenizers import Tokenizer

        self._directory = Path(directory)
        path = self._directory / "tokenizer.json"
        if not path.exists():
            raise UserError(f"'{path}' does not exist")
        try:
            self.tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises bare exceptions
            raise UserError(f"'{path}' is not a readable tokenizer: {error}") from error
        self.config = self._settings("tokenizer_config.json")
        self._lower_case = self._settings("sentence_bert_config.json").get("do_lower_case", False)

    def _settings(self, name):
        """The object of a JSON file of the directory, an empty one where there is no file."""
        path = self._directory / name
        settings = read_json(path) if path.exists() else {}
        if not isinstance(settings, dict):
            raise UserError(f"'{path}' is not a JSON object")
        return settings

    def encode(self, text):
        """Ids of a prompt taken as it is; special tokens in it become their ids."""
        self._check(text, "the prompt")
        ids = self.tokenizer.encode(text, add_special_tokens=False).ids
        if self.config.get("add_bos_token"):
            ids.insert(0, self.tokenizer.token_to_id(self._special("bos_token")))
        if not ids:
            raise UserError("the prompt is empty")
        return ids

    def encode_for_embedding(self, text, longest, truncate=False):
        """Ids of a text between the tokens that the tokenizer puts around it, `longest`
        at most: a longer one is an error, or cut where that is wanted. As in
        sentence-transformers, white space around it does not count, nor does the case of
        letters where sentence_bert_config.json says so."""
        self._check(text, "the text")
        text = text.strip()
        if self._lower_case:
            text = text.lower()
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        if truncate:
            self.tokenizer.enable_truncation(longest)
        ids = self.tokenizer.encode(text).ids
        if len(ids) > longest:
            raise UserError(
                f"a text of {len(ids)} tokens exceeds the program's {longest} (--truncate cuts it)"
            )
        if not ids:
            raise UserError("the text is empty")
        return ids

    @staticmethod
    def _check(text, what):
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise UserError(f"{what} is no valid text: {error}") from error

    def render_chat(self, message):
        """The chat template applied to one message of the user."""
        from jinja2 import TemplateError
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        template = self.config.get("chat_template")
        if template is None:
            raise UserError(
                f"'{self._directory}' has no chat template (tokenizer_config.json); give a plain prompt"
            )
        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
        names = ("bos_token", "eos_token", "pad_token", "unk_token")
        try:
            return environment.from_string(template).render(
                messages=[{"role": "user", "content": message}],
                add_generation_prompt=True,
                **{name: self._special(name) for name in names},
            )
        except TemplateError as error:
            raise UserError(f"the chat template of '{self._directory}' fails: {error}") from error

    def decode(self, ids):
        """The text of ids, special tokens left out."""
        return self.tokenizer.decode(list(ids), skip_special_tokens=True)

    def stream(self):
        """A Stream that turns ids into text as they arrive."""
        return Stream(self.tokenizer)

    def _special(self, name):
        token = self.config.get(name) or ""
        return token["content"] if isinstance(token, dict) else token


class Stream:
    """Ids in, text out, never half a character.

    `step` returns the text that one more id completes (perhaps none), `rest`
    what is left at the end, such as bytes that never became a character.
    """

    def __init__(self, tokenizer):
        from tokenizers.decoders import DecodeStream

        self._tokenizer = tokenizer
        self._stream = DecodeStream(skip_special_tokens=True)
        self._ids = []
        self._length = 0

    def step(self, token):
        self._ids.append(token)
        text = self._stream.step(self._tokenizer, token) or ""
        self._length += len(text)
        return text

    def rest(self):
        return self._tokenizer.decode(self._ids, skip_special_tokens=True)[self._length :]

"""The one kind of error that a user causes, and how a command reports it."""

import sys


class UserError(Exception):
    """A wrong input or usage: one clear message, exit status 2."""


def report(main):
    """Runs `main`; a UserError becomes one `error:` line and exit status 2, a failure
    of the system (disk full, no rights) one and status 3."""
    try:
        return main()
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output went away: nothing is left to say.
        sys.stderr.close()
        return 141
    except OSError as error:
        print(f"error: {error.filename or 'standard output'}: {error.strerror}", file=sys.stderr)
        return 3

/* A C99 program that is linked with one module and loads another.
 *
 *   ApiProgram VALUES_MODULE
 *
 * Exits 0 when everything is as expected, else says where it is not. */

#include "tprt/api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                              \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static int count_token(void *user, int32_t row, int64_t token) {
  (void)row;
  (void)token;
  ++*(int *)user;
  return 0;
}

/* The module that the program is linked with. */
static void use_linked(void) {
  tprt_session_options_t options = TPRT_SESSION_OPTIONS_INIT;
  tprt_generate_options_t how = TPRT_GENERATE_OPTIONS_INIT;
  tprt_language_model_info_t model;
  tprt_session_t *session;
  const int64_t prompt[] = {5, 1, 2}, lengths[] = {2, 1};
  int64_t tokens[8], counts[2];
  int told = 0;
  EXPECT(tprt_module_language_model(&model) == TPRT_OK);
  EXPECT(model.batch == 2 && model.vocab == 11);
  options.random = 1;
  EXPECT(tprt_session_open(&options, &session) == TPRT_OK);
  how.count = 4;
  how.on_token = count_token;
  how.user = &told;
  EXPECT(tprt_session_generate(session, &how, 2, lengths, prompt, tokens, counts) == TPRT_OK);
  EXPECT(told == counts[0] + counts[1]);
  EXPECT(tokens[0] >= 0 && tokens[0] < model.vocab);
  EXPECT(tprt_session_call(session, 99) == TPRT_INVALID_ARGUMENT);
  EXPECT(strstr(tprt_last_error(), "no entry 99"));
  EXPECT(tprt_session_close(session) == TPRT_OK);
}

/* A module that is loaded, through its table. */
static void use_loaded(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *symbol;
  tprt_api_fn get;
  const tprt_api_t *api;
  tprt_session_t *session;
  double scale = 0.5, result = 0;
  int64_t i = 6;
  int32_t entry, argument;
  tprt_array_t value = {TPRT_F64, 0, NULL, NULL};
  EXPECT(library);
  symbol = dlsym(library, TPRT_API_SYMBOL);
  EXPECT(symbol);
  memcpy(&get, &symbol, sizeof get); /* what ISO C says of dlsym */
  api = get(TPRT_API_VERSION);
  EXPECT(api);
  EXPECT(api->session_open(NULL, &session) == TPRT_OK);
  EXPECT(api->module_find_entry("pick", &entry) == TPRT_OK);
  EXPECT(api->module_find_argument(entry, "i", &argument) == TPRT_OK);
  value.data = &scale;
  EXPECT(api->session_set_value(session, "scale", &value) == TPRT_OK);
  value.dtype = TPRT_I64;
  value.data = &i;
  EXPECT(api->session_set_input(session, entry, argument, &value) == TPRT_OK);
  EXPECT(api->session_call(session, entry) == TPRT_OK);
  value.dtype = TPRT_F64;
  value.data = &result;
  EXPECT(api->session_get_result(session, entry, 0, &value) == TPRT_OK);
  EXPECT(result == 3.0);
  EXPECT(api->session_close(session) == TPRT_OK);
  EXPECT(dlclose(library) == 0);
}

int main(int argc, char **argv) {
  EXPECT(argc == 2);
  use_linked();
  use_loaded(argv[1]);
  use_linked();
  return 0;
}

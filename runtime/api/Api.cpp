//===- Api.cpp - the C interface of a compiled module ---------------------===//
//
// An archive of its own, which a shared object links as a whole. What the C++
// code below throws ends here, as a status and the message of the thread.
//
//===----------------------------------------------------------------------===//

#include "tprt/api.h"

#include "ApiSession.h"

#include <new>

using namespace tprt;

namespace {

// Of the last function that failed on this thread.
thread_local std::string lastError;

tprt_status_t fail(tprt_status_t status, const std::string &message,
                   const std::vector<std::string> &notes = {}) {
  try {
    lastError = message;
    for (const std::string &note : notes)
      lastError += "\nnote: " + note;
  } catch (const std::bad_alloc &) {
    lastError.clear(); // the status still says what kind
  }
  return status;
}

/// The status of `body`, which may throw.
template <typename Body> tprt_status_t guarded(Body &&body) {
  try {
    body();
    return TPRT_OK;
  } catch (const Stopped &) {
    return fail(TPRT_STOPPED, "stopped by the caller");
  } catch (const Error &error) {
    return fail(error.status(), error.what(), error.notes());
  } catch (const std::bad_alloc &) {
    return fail(TPRT_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception &exception) {
    return fail(TPRT_INTERNAL, exception.what());
  } catch (...) {
    return fail(TPRT_INTERNAL, "unknown exception");
  }
}

/// The same for a function of a session, which no other thread may use meanwhile.
template <typename Body> tprt_status_t useSession(tprt_session_t *session, Body &&body) {
  if (!session)
    return fail(TPRT_INVALID_ARGUMENT, "the session is null");
  return guarded([&] {
    session->requireOwner();
    const tprt_session::Use use(*session);
    body(*session);
  });
}

template <typename T> T &requirePointer(T *pointer, const char *name) {
  if (!pointer)
    throw badInput(std::string(name) + " is null");
  return *pointer;
}

} // namespace

const char *tprt_last_error(void) { return lastError.c_str(); }

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

const char *tprt_module_manifest(void) { return tprt_module.manifest; }

tprt_status_t tprt_module_mesh(int32_t *outRanks, int32_t *outAxes) {
  return guarded([&] {
    const Manifest &manifest = moduleManifest();
    requirePointer(outAxes, "out_num_axes");
    requirePointer(outRanks, "out_num_ranks") = manifest.numRanks();
    *outAxes = int32_t(manifest.mesh.size());
  });
}

tprt_status_t tprt_module_axis(int32_t axis, tprt_axis_info_t *out) {
  return guarded([&] {
    const Manifest &manifest = moduleManifest();
    requireIndex(axis, manifest.mesh.size(), "the mesh has no axis ");
    const MeshAxis &found = manifest.mesh[size_t(axis)];
    requirePointer(out, "out_axis") = {found.name.c_str(), found.size};
  });
}

tprt_status_t tprt_module_num_entries(int32_t *out) {
  return guarded(
      [&] { requirePointer(out, "out_num_entries") = int32_t(moduleManifest().entries.size()); });
}

tprt_status_t tprt_module_entry(int32_t entry, tprt_entry_info_t *out) {
  return guarded([&] {
    const EntryInfo &info = requireEntry(entry);
    requirePointer(out, "out_entry") = {info.name.c_str(), int32_t(info.arguments.size()),
                                        int32_t(info.results.size())};
  });
}

tprt_status_t tprt_module_find_entry(const char *name, int32_t *out) {
  return guarded([&] {
    requirePointer(name, "name");
    requirePointer(out, "out_entry") = findEntry(name);
  });
}

tprt_status_t tprt_module_argument(int32_t entry, int32_t argument, tprt_value_info_t *out) {
  return guarded(
      [&] { requirePointer(out, "out_value") = describe(requireArgument(entry, argument)); });
}

tprt_status_t tprt_module_find_argument(int32_t entry, const char *name, int32_t *out) {
  return guarded([&] {
    requirePointer(name, "name");
    requirePointer(out, "out_argument") = findArgument(entry, name);
  });
}

tprt_status_t tprt_module_result(int32_t entry, int32_t result, tprt_value_info_t *out) {
  return guarded(
      [&] { requirePointer(out, "out_value") = describe(requireResult(entry, result)); });
}

tprt_status_t tprt_module_language_model(tprt_language_model_info_t *out) {
  return guarded([&] {
    const LanguageModelInfo &model = requireLanguageModel();
    requirePointer(out, "out_model") = {model.batch,   model.chunk,      model.maxSeq,
                                        model.vocab,   model.eos.data(), int32_t(model.eos.size()),
                                        model.prefill, model.decode};
  });
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

tprt_status_t tprt_session_open(const tprt_session_options_t *options, tprt_session_t **out) {
  return guarded([&] {
    requirePointer(out, "out_session");
    const tprt_session_options_t defaults = TPRT_SESSION_OPTIONS_INIT;
    *out = new tprt_session(options ? *options : defaults);
  });
}

tprt_status_t tprt_session_close(tprt_session_t *session) {
  if (!session)
    return guarded([] {});
  return guarded([&] {
    session->requireOwner();
    // Stays in use: nobody may begin another call.
    if (!session->enter())
      throw busy();
    delete session;
  });
}

tprt_status_t tprt_session_set_input(tprt_session_t *session, int32_t entry, int32_t argument,
                                     const tprt_array_t *value) {
  return useSession(session, [&](tprt_session &session) {
    session.setInput(entry, argument, requirePointer(value, "value"));
  });
}

tprt_status_t tprt_session_call(tprt_session_t *session, int32_t entry) {
  return useSession(session, [&](tprt_session &session) { session.call(entry); });
}

tprt_status_t tprt_session_get_result(tprt_session_t *session, int32_t entry, int32_t result,
                                      const tprt_array_t *value) {
  return useSession(session, [&](tprt_session &session) {
    session.getResult(entry, result, requirePointer(value, "value"));
  });
}

tprt_status_t tprt_session_find_value(tprt_session_t *session, const char *name,
                                      tprt_value_info_t *out) {
  return useSession(session, [&](tprt_session &session) {
    requirePointer(name, "name");
    requirePointer(out, "out_value") = describe(session.session.findStored(name));
  });
}

tprt_status_t tprt_session_set_value(tprt_session_t *session, const char *name,
                                     const tprt_array_t *value) {
  return useSession(session, [&](tprt_session &session) {
    requirePointer(name, "name");
    session.setValue(name, requirePointer(value, "value"));
  });
}

tprt_status_t tprt_session_get_value(tprt_session_t *session, const char *name,
                                     const tprt_array_t *value) {
  return useSession(session, [&](tprt_session &session) {
    requirePointer(name, "name");
    session.getValue(name, requirePointer(value, "value"));
  });
}

tprt_status_t tprt_session_reset_states(tprt_session_t *session) {
  return useSession(session, [](tprt_session &session) { session.session.resetStates(); });
}

tprt_status_t tprt_session_generate(tprt_session_t *session, const tprt_generate_options_t *options,
                                    int32_t numRows, const int64_t *lengths, const int64_t *tokens,
                                    int64_t *outTokens, int64_t *outCounts) {
  return useSession(session, [&](tprt_session &session) {
    const tprt_generate_options_t defaults = TPRT_GENERATE_OPTIONS_INIT;
    requirePointer(lengths, "lengths");
    requirePointer(tokens, "tokens");
    requirePointer(outTokens, "out_tokens");
    requirePointer(outCounts, "out_counts");
    session.generate(options ? *options : defaults, numRows, lengths, tokens, outTokens, outCounts);
  });
}

tprt_status_t tprt_session_memory(tprt_session_t *session, tprt_memory_t *out) {
  return useSession(session, [&](tprt_session &session) {
    const MemoryUse use = session.session.memory();
    requirePointer(out, "out_memory") = {use.weights, use.state, use.arena, use.workspace,
                                         session.session.loadSeconds()};
  });
}

tprt_status_t tprt_session_activity(tprt_session_t *session, int32_t entry, int32_t rank,
                                    tprt_activity_t *out) {
  return useSession(session, [&](tprt_session &session) {
    requirePointer(out, "out_activity") = session.activity(entry, rank);
  });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const tprt_api_t *tprt_api(int32_t version) {
  static const tprt_api_t table = {
      sizeof(tprt_api_t),
#define TPRT_FUNCTION(result, name, parameters) tprt_##name,
#include "tprt/api.def"
#undef TPRT_FUNCTION
  };
  return version == TPRT_API_VERSION ? &table : nullptr;
}

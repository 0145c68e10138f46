// SPDX-License-Identifier: MIT
#pragma once

// The fields of a struct, declared once for the JSON writer and the reader (json_fields.h). A
// member's name is its key, and the keys keep the order of this list:
//   FOS_JSON_FIELDS(Near, piece, milli_in)
#define FOS_JSON_FIELDS(Struct, ...)                               \
  template <typename V>                                            \
  void Fields([[maybe_unused]] V& v, [[maybe_unused]] Struct& x) { \
    __VA_OPT__(FOS_SCAN_64(FOS_EACH_FIELD(__VA_ARGS__)))           \
  }
// The same for a template of one type.
#define FOS_JSON_FIELDS_OF(Template, ...)    \
  template <typename V, typename T>          \
  void Fields(V& v, Template<T>& x) {        \
    FOS_SCAN_64(FOS_EACH_FIELD(__VA_ARGS__)) \
  }

// One field, then the rest of the list. A macro does not expand inside itself, so the rest waits
// for the next scan; 64 scans are enough for the longest struct.
#define FOS_EACH_FIELD(name, ...) \
  v(#name, x.name);               \
  __VA_OPT__(FOS_OTHER_FIELDS FOS_NO_ARGUMENTS(__VA_ARGS__))
#define FOS_OTHER_FIELDS() FOS_EACH_FIELD
#define FOS_NO_ARGUMENTS ()
#define FOS_SCAN_64(...) FOS_SCAN_16(FOS_SCAN_16(FOS_SCAN_16(FOS_SCAN_16(__VA_ARGS__))))
#define FOS_SCAN_16(...) FOS_SCAN_4(FOS_SCAN_4(FOS_SCAN_4(FOS_SCAN_4(__VA_ARGS__))))
#define FOS_SCAN_4(...) FOS_SCAN_1(FOS_SCAN_1(FOS_SCAN_1(FOS_SCAN_1(__VA_ARGS__))))
#define FOS_SCAN_1(...) __VA_ARGS__

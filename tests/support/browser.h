// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "engine/files/json.h"

// A page in headless Chromium, driven over its pipe (Chrome DevTools Protocol), so that a test waits
// for what people see and not for what Chromium prints when it thinks that a page is loaded.
namespace fos::test {

class Browser {
 public:
  // Why no browser can be started; empty: one can.
  static std::string WhyNot();
  // Starts one with an empty page. `home`: its own folder, which outlives it.
  // throws  std::runtime_error: it does not start, or does not answer within a minute.
  explicit Browser(const std::filesystem::path& home);
  // Ends it with all its processes.
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void Open(const std::string& address);
  // As on a phone of that width; pixels of the page, not of the screen.
  void BeAPhone(int width_px, int height_px);
  // What is seen now, as PNG, with whatever is transparent.
  void Picture(const std::filesystem::path& file);
  // The value of a JavaScript expression, as text; empty when the page goes to another address before
  // it answers, as it may after a click on a link.
  std::string Value(const std::string& expression);
  // Waits until the expression has this value; the last value seen.
  std::string WaitFor(const std::string& expression, const std::string& value,
                      std::chrono::seconds limit);

 private:
  Json Ask(const std::string& method, const Json& params);

  pid_t process_ = -1;
  int to_ = -1;
  int from_ = -1;
  int asked_ = 0;
  std::string read_;     // of the next message
  std::string session_;  // of the page
};

}  // namespace fos::test

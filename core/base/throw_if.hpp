// Refuses bad input.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

namespace rarewood {

// Throws std::invalid_argument with a message of text and numbers.
template <class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void refuse(const Parts&... parts) {
  auto to_text = [](const auto& part) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(part)>>) {
      return std::to_string(part);
    } else {
      return std::string(part);
    }
  };
  throw std::invalid_argument((to_text(parts) + ...));
}

// The message is put together only when it is needed, so this may stand in a loop over rows.
template <class... Parts>
[[gnu::always_inline]] inline void throw_if(bool is_bad, const Parts&... parts) {
  if (is_bad) [[unlikely]]
    refuse(parts...);
}

// The entry with a name; `what` the entries are is for the message.
template <class Entries>
const auto& find_named(const Entries& entries, const char* what, const std::string& name) {
  std::string names;
  for (const auto& entry : entries) {
    if (name == entry.name) return entry;
    names += (names.empty() ? "'" : ", '") + std::string(entry.name) + "'";
  }
  refuse("unknown ", what, " '", name, "': expected one of ", names, ".");
}

// Values of a parameter by their names, for find_named.
template <class Value>
struct Named {
  const char* name;
  Value value;
};

}  // namespace rarewood

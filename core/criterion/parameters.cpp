#include "criterion/parameters.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "base/throw_if.hpp"

namespace rarewood {

namespace {

std::string quoted_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "'" : ", '") + name + "'";
  return list;
}

std::string printed(const ParameterValue& value) {
  std::ostringstream text;
  std::visit([&](const auto& v) { text << v; }, value);
  return std::holds_alternative<double>(value) ? text.str() : "'" + text.str() + "'";
}

bool is_allowed(const Parameter& parameter, const ParameterValue& value) {
  if (parameter.choices.empty()) {
    const double* number = std::get_if<double>(&value);
    return number && *number >= parameter.low && *number <= parameter.high;
  }
  const std::string* choice = std::get_if<std::string>(&value);
  return choice && std::find(parameter.choices.begin(), parameter.choices.end(), *choice) !=
                       parameter.choices.end();
}

std::string expected(const Parameter& parameter) {
  if (!parameter.choices.empty()) return "one of " + quoted_list(parameter.choices);
  return "a number between " + printed(parameter.low) + " and " + printed(parameter.high);
}

}  // namespace

ParameterValues::ParameterValues(const std::string& owner, const std::vector<Parameter>& parameters,
                                 std::map<std::string, ParameterValue> given)
    : values_(std::move(given)) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) {
    names.push_back(parameter.name);
    const auto [at, is_missing] = values_.try_emplace(parameter.name, parameter.default_value);
    throw_if(!is_allowed(parameter, at->second), parameter.name, " must be ", expected(parameter),
             "; got ", printed(at->second), ".");
  }
  for (const auto& [name, value] : values_) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw std::invalid_argument(
        owner + " has no parameter '" + name +
        (names.empty() ? "': it has none." : "'; its parameters are " + quoted_list(names) + "."));
  }
}

}  // namespace rarewood

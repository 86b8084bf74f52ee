// Parameters of a criterion: what an entry of the registry declares, and the checked values that
// its factory receives.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace rarewood {

using ParameterValue = std::variant<double, std::string>;

// A number of a closed range or, when there are choices, one of these.
struct Parameter {
  std::string name;
  std::string summary;
  ParameterValue default_value;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices;
};

inline Parameter number_parameter(std::string name, std::string summary, double default_value,
                                  double low, double high) {
  return {std::move(name), std::move(summary), default_value, low, high, {}};
}

// The first choice is the default.
inline Parameter choice_parameter(std::string name, std::string summary,
                                  std::vector<std::string> choices) {
  const std::string first = choices.front();
  return {.name = std::move(name),
          .summary = std::move(summary),
          .default_value = first,
          .choices = std::move(choices)};
}

// A value for every parameter of one entry.
class ParameterValues {
 public:
  // Defaults fill the gaps. Throws std::invalid_argument for an unknown name and for a value
  // outside its range or choices; `owner` names the entry in messages.
  ParameterValues(const std::string& owner, const std::vector<Parameter>& parameters,
                  std::map<std::string, ParameterValue> given);

  double number(const std::string& name) const { return std::get<double>(values_.at(name)); }
  const std::string& choice(const std::string& name) const {
    return std::get<std::string>(values_.at(name));
  }
  const std::map<std::string, ParameterValue>& all() const { return values_; }

 private:
  std::map<std::string, ParameterValue> values_;
};

}  // namespace rarewood

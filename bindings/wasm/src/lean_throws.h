// SPDX-License-Identifier: Apache-2.0
// Included before everything that is compiled to WebAssembly without threads: to the compiler,
// functions of strings, of formatting, of JSON and of the messages of errors throw nothing. Where
// they are called, it needs no code that destroys what is there, which would be a twentieth of all
// that is downloaded. They do throw where there is no memory for a text: the call then ends as it
// would anyway, but what it had taken is not given back.
#pragma once

// What is not meant.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#pragma clang attribute push(__attribute__((nothrow)), apply_to = hasType(functionType))
#include <stdexcept>
#include <string>
#include <string_view>

#include "../../../src/sinew/core/error.h"
#ifdef FMT_HEADER_ONLY
#include <fmt/format.h>
#endif
#ifdef SINEW_LEAN_JSON
#include <nlohmann/json.hpp>
#endif
#pragma clang attribute pop

// SPDX-License-Identifier: Apache-2.0
// Vectors of numbers, compiled for speed. Of functions that several files have, the linker takes
// the first; those of files compiled for size call a function for each number that they fill in,
// and solvers, though compiled for speed, would call them.
#include <vector>

template class std::vector<double>;
template class std::vector<float>;
template class std::vector<int>;
template class std::vector<unsigned>;
template class std::vector<unsigned long>;

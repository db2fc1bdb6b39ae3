// SPDX-License-Identifier: Apache-2.0
// Multifrontal (Duff and Reid 1983; Liu 1992): columns with the same rows below them form dense
// panels, and what a panel subtracts from later ones is passed up the tree as a dense square.
#include "sinew/weights/detail/sparse_cholesky.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/weights/detail/dense.h"
#include "sinew/weights/detail/nested_dissection.h"
#include "sinew/weights/detail/numbers.h"

namespace sinew::detail {
namespace {

constexpr std::size_t sides_at_once = 3 * side_group;

// The columns from `first` on, and how many rows below the last of them have elements.
struct Panel {
  int first = 0, width = 0;
  int parent = none;
  std::size_t below = 0;
  std::size_t place = 0;  // of its elements in the factor

  std::size_t columns() const { return at(width); }
  std::size_t height() const { return at(width) + below; }
};

Graph graph_of(const SymmetricMatrix& a) {
  return rows_by_key<int>(at(a.size), [&](const auto& add) {
    for (int column = 0; column < a.size; ++column) {
      for (std::size_t k = a.starts[column]; k < a.starts[at(column) + 1]; ++k) {
        if (a.rows[k] == column) continue;
        add(at(column), a.rows[k]);
        add(at(a.rows[k]), column);
      }
    }
  });
}

// Of the matrix with rows and columns in elimination order: whose elimination a column waits for.
std::vector<int> elimination_tree(const Graph& graph, const std::vector<int>& order,
                                  const std::vector<int>& place) {
  const std::size_t n = order.size();
  std::vector<int> parent(n, none), ancestor(n, none);
  for (std::size_t row = 0; row < n; ++row) {
    for (const int node : graph[order[row]]) {
      int column = place[node];
      while (column != none && at(column) < row) {
        const int next = ancestor[column];
        ancestor[column] = static_cast<int>(row);
        if (next == none) parent[column] = static_cast<int>(row);
        column = next;
      }
    }
  }
  return parent;
}

// Children before parents, each subtree in one piece, the one with most columns last.
std::vector<int> postorder(const std::vector<int>& parent) {
  const std::size_t n = parent.size();
  std::vector<int> weight(n, 1), first_child(n, none), next_sibling(n, none), roots;
  for (std::size_t v = 0; v < n; ++v) {
    if (parent[v] != none) weight[parent[v]] += weight[v];
  }
  std::vector<int> by_weight(n);
  std::iota(by_weight.begin(), by_weight.end(), 0);
  std::stable_sort(by_weight.begin(), by_weight.end(),
                   [&](int a, int b) { return weight[a] > weight[b]; });
  for (const int v : by_weight) {
    const int p = parent[v];
    if (p == none) {
      roots.push_back(v);
    } else {
      next_sibling[v] = first_child[p];
      first_child[p] = v;
    }
  }
  std::vector<int> order, stack;
  order.reserve(n);
  for (const int root : roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const int v = stack.back();
      const int child = first_child[v];
      if (child == none) {
        order.push_back(v);
        stack.pop_back();
      } else {
        first_child[v] = next_sibling[child];
        stack.push_back(child);
      }
    }
  }
  return order;
}

// How many elements each column of the factor has, the diagonal included.
std::vector<int> column_counts(const Graph& graph, const std::vector<int>& order,
                               const std::vector<int>& place, const std::vector<int>& parent) {
  std::vector<int> counts(order.size(), 1), seen(order.size(), none);
  for (std::size_t row = 0; row < order.size(); ++row) {
    seen[row] = static_cast<int>(row);
    for (const int node : graph[order[row]]) {
      for (int column = place[node]; at(column) < row && seen[column] != static_cast<int>(row);
           column = parent[column]) {
        seen[column] = static_cast<int>(row);
        ++counts[column];
      }
    }
  }
  return counts;
}

// Columns that have the same rows become one panel; so do those where it costs few zeros.
std::vector<Panel> find_panels(const std::vector<int>& parent, const std::vector<int>& counts) {
  struct Draft {
    int first, width;
    std::size_t height, zeros;
  };
  std::vector<Draft> drafts;
  const auto worth_it = [](const Draft& a, const Draft& b, std::size_t zeros) {
    const std::size_t width = at(a.width + b.width);
    const double total = static_cast<double>(width * (at(a.width) + b.height));
    const double share = static_cast<double>(zeros) / total;
    return zeros == 0 || width <= 8 || (width <= 24 && share < 0.5) ||
           (width <= 64 && share < 0.15) || share < 0.05;
  };
  for (std::size_t column = 0; column < parent.size(); ++column) {
    drafts.push_back({static_cast<int>(column), 1, at(counts[column]), 0});
    while (drafts.size() > 1) {
      const Draft &child = drafts[drafts.size() - 2], &last = drafts.back();
      if (parent[child.first + child.width - 1] != last.first) break;
      const std::size_t zeros = child.zeros + last.zeros +
                                at(child.width) * (at(child.width) + last.height - child.height);
      if (!worth_it(child, last, zeros)) break;
      const Draft merged{child.first, child.width + last.width, at(child.width) + last.height,
                         zeros};
      drafts.resize(drafts.size() - 2);
      drafts.push_back(merged);
    }
  }
  std::vector<Panel> panels;
  panels.reserve(drafts.size());
  for (const Draft& draft : drafts) panels.push_back({draft.first, draft.width, none, 0, 0});
  return panels;
}

}  // namespace

struct EliminationOrder::Structure {
  std::vector<int> order, place;  // place[order[k]] = k
  std::vector<Panel> panels;
  Rows<int> rows;      // of each panel, below its columns
  Rows<int> children;  // of each panel
  // Pieces of some work each, of one or several whole subtrees, children before parents. The panels
  // that are not in any of them wait for those.
  Rows<int> pieces;
  std::vector<int> top;
  std::size_t element_count = 0;

  void number();
  void find_rows(const Graph& graph);
  void finish();
  void find_pieces();
};

void EliminationOrder::Structure::number() {
  place.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
}

void EliminationOrder::Structure::find_rows(const Graph& graph) {
  std::vector<std::vector<int>> below(order.size());  // of the panels that wait for a column
  std::vector<int> seen(order.size(), none);
  std::vector<int> found;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const Panel& panel = panels[p];
    const int end = panel.first + panel.width;
    found.clear();
    const auto add = [&](int row) {
      if (row < end || seen[row] == static_cast<int>(p)) return;
      seen[row] = static_cast<int>(p);
      found.push_back(row);
    };
    for (int column = panel.first; column < end; ++column) {
      for (const int node : graph[order[column]]) add(place[node]);
      for (const int child : below[column]) {
        for (const int row : rows[child]) add(row);
      }
    }
    std::sort(found.begin(), found.end());
    rows.push(found);
    if (!found.empty()) below[found.front()].push_back(static_cast<int>(p));
  }
}

// What follows from the panels and their rows.
void EliminationOrder::Structure::finish() {
  std::vector<int> panel_of(order.size());
  for (std::size_t p = 0; p < panels.size(); ++p) {
    std::fill_n(panel_of.begin() + panels[p].first, panels[p].width, static_cast<int>(p));
  }
  for (std::size_t p = 0; p < panels.size(); ++p) {
    Panel& panel = panels[p];
    panel.below = rows[p].size();
    panel.place = element_count;
    element_count += panel.height() * panel.columns();
    if (panel.below > 0) panel.parent = panel_of[rows[p].front()];
  }
  children = rows_by_key<int>(panels.size(), [&](const auto& add) {
    for (std::size_t p = 0; p < panels.size(); ++p) {
      if (panels[p].parent != none) add(at(panels[p].parent), static_cast<int>(p));
    }
  });
  find_pieces();
}

void EliminationOrder::Structure::find_pieces() {
  std::vector<double> work(panels.size(), 0);
  double total = 0;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const double height = static_cast<double>(panels[p].height());
    const double own = height * height * static_cast<double>(panels[p].width);
    total += own;
    work[p] += own;
    for (const int child : children[p]) work[p] += work[child];
  }
  // A fixed number, so that the pieces do not depend on the number of threads.
  const double most = total / 16;
  std::vector<int> piece(panels.size(), none);
  int count = 0;
  double gathered = total;  // by the last piece
  for (std::size_t p = panels.size(); p-- > 0;) {
    if (work[p] > most) continue;
    const int parent = panels[p].parent;
    if (parent != none && piece[parent] != none) {
      piece[p] = piece[parent];
      continue;
    }
    // Small subtrees share a piece: a mesh of many islands has one for each, and each piece takes
    // memory for all unknowns.
    gathered += work[p];
    if (gathered > most / 4) {
      ++count;
      gathered = work[p];
    }
    piece[p] = count - 1;
  }
  pieces = rows_by_key<int>(at(count), [&](const auto& add) {
    for (std::size_t p = 0; p < panels.size(); ++p) {
      if (piece[p] != none) add(at(piece[p]), static_cast<int>(p));
    }
  });
  for (std::size_t p = 0; p < panels.size(); ++p) {
    if (piece[p] == none) top.push_back(static_cast<int>(p));
  }
}

EliminationOrder::EliminationOrder(std::shared_ptr<const Structure> structure)
    : structure_(std::move(structure)) {}

EliminationOrder::EliminationOrder(const SymmetricMatrix& pattern, std::span<const Vec3> points) {
  if (points.size() != at(pattern.size)) throw UsageError("as many points as unknowns are needed");
  auto s = std::make_shared<Structure>();
  const Graph graph = graph_of(pattern);
  s->order = nested_dissection(graph, points);
  s->number();
  const std::vector<int> sequence = postorder(elimination_tree(graph, s->order, s->place));
  std::vector<int> sorted(s->order.size());
  std::transform(sequence.begin(), sequence.end(), sorted.begin(),
                 [&](int k) { return s->order[k]; });
  s->order = std::move(sorted);
  s->number();
  const std::vector<int> parent = elimination_tree(graph, s->order, s->place);
  s->panels = find_panels(parent, column_counts(graph, s->order, s->place, parent));
  s->find_rows(graph);
  s->finish();
  structure_ = std::move(s);
}

std::size_t EliminationOrder::size() const { return structure_->order.size(); }

std::span<const int> EliminationOrder::places() const { return structure_->place; }

EliminationOrder EliminationOrder::part(std::span<const int> unknowns) const {
  const Structure& whole = *structure_;
  auto s = std::make_shared<Structure>();
  std::vector<int> number(whole.order.size(), none);  // by place
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    number[whole.place[unknowns[k]]] = static_cast<int>(k);
  }
  s->order.reserve(unknowns.size());
  std::vector<int> now(whole.order.size(), none);  // the place that a place has become
  for (std::size_t k = 0; k < number.size(); ++k) {
    if (number[k] == none) continue;
    now[k] = static_cast<int>(s->order.size());
    s->order.push_back(number[k]);
  }
  s->number();
  for (std::size_t p = 0; p < whole.panels.size(); ++p) {
    const Panel& panel = whole.panels[p];
    const auto from = now.begin() + panel.first, to = from + panel.width;
    const auto first = std::find_if(from, to, [](int k) { return k != none; });
    if (first == to) continue;
    const auto dropped = std::count(first, to, none);
    s->panels.push_back({*first, static_cast<int>(to - first - dropped), none, 0, 0});
    for (const int row : whole.rows[p]) {
      if (now[row] != none) s->rows.items.push_back(now[row]);
    }
    s->rows.end_row();
  }
  s->finish();
  return EliminationOrder(std::move(s));
}

struct SparseCholesky::Factor {
  EliminationOrder elimination;
  const EliminationOrder::Structure& structure;
  std::unique_ptr<double[]> elements;  // each panel sets its own to zero

  explicit Factor(EliminationOrder of)
      : elimination(std::move(of)),
        structure(*elimination.structure_),
        elements(new double[structure.element_count]) {}

  // An element of the matrix in the order of elimination, in some column.
  struct Element {
    int row = 0;
    double value = 0;
  };
  void factor(const SymmetricMatrix& a, const Progress& progress);
  void factor_one(int panel, const Rows<Element>& columns,
                  std::vector<std::vector<double>>& squares, std::vector<int>& local);
  // Some sides of x, whose rows lie `step` apart.
  void solve_sides(double* x, std::size_t step, std::size_t sides) const;
};

void SparseCholesky::Factor::factor_one(int number, const Rows<Element>& columns,
                                        std::vector<std::vector<double>>& squares,
                                        std::vector<int>& local) {
  const Panel& panel = structure.panels[number];
  const std::span<const int> rows = structure.rows[number];
  const std::size_t height = panel.height(), width = panel.columns(), below = panel.below;
  double* elements_of_panel = elements.get() + panel.place;
  std::fill_n(elements_of_panel, height * width, 0.0);
  for (std::size_t i = 0; i < width; ++i) local[at(panel.first) + i] = static_cast<int>(i);
  for (std::size_t i = 0; i < below; ++i) local[rows[i]] = static_cast<int>(width + i);
  for (std::size_t j = 0; j < width; ++j) {
    for (const auto& [row, value] : columns[at(panel.first) + j]) {
      elements_of_panel[at(local[row]) + j * height] += value;
    }
  }
  std::vector<double>& square = squares[number];
  square.assign(below * below, 0.0);
  std::vector<std::size_t> target;
  for (const int child : structure.children[number]) {
    const std::span<const int> waiting = structure.rows[child];
    std::vector<double>& update = squares[child];
    target.resize(waiting.size());
    std::transform(waiting.begin(), waiting.end(), target.begin(),
                   [&](int row) { return at(local[row]); });
    for (std::size_t j = 0; j < waiting.size(); ++j) {
      const double* from = update.data() + j * waiting.size();
      const bool inside = target[j] < width;
      double* to = inside ? elements_of_panel + target[j] * height
                          : square.data() + (target[j] - width) * below;
      const std::size_t shift = inside ? 0 : width;
      for (std::size_t i = j; i < waiting.size(); ++i) to[target[i] - shift] += from[i];
    }
    std::vector<double>().swap(update);
  }
  // A pivot that lost all of its digits belongs to a matrix that is singular to rounding.
  const std::size_t good = factor_panel(elements_of_panel, height, width, 1e-14);
  if (good < width) {
    throw Error("the system of equations has no unique solution (at unknown " +
                std::to_string(structure.order[at(panel.first) + good]) + ")");
  }
  if (below > 0) subtract_square(square.data(), below, elements_of_panel + width, height, width);
}

void SparseCholesky::Factor::factor(const SymmetricMatrix& a, const Progress& progress) {
  if (at(a.size) != structure.order.size()) {
    throw UsageError("a matrix whose size is not that of the order");
  }
  const std::vector<int>& place = structure.place;
  const auto columns = rows_by_key<Element>(structure.order.size(), [&](const auto& add) {
    for (int column = 0; column < a.size; ++column) {
      for (std::size_t k = a.starts[column]; k < a.starts[at(column) + 1]; ++k) {
        const auto [i, j] = std::minmax(place[column], place[a.rows[k]]);
        add(at(i), Element{j, a.values[k]});
      }
    }
  });
  std::vector<std::vector<double>> squares(structure.panels.size());
  parallel_for(structure.pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
    std::vector<int> local(structure.order.size());
    for (std::size_t i = begin; i < end; ++i) {
      for (const int p : structure.pieces[i]) factor_one(p, columns, squares, local);
    }
  });
  std::vector<int> local(structure.order.size());
  const std::vector<int>& top = structure.top;
  for (std::size_t i = 0; i < top.size(); ++i) {
    progress.report("factorising", static_cast<double>(i) / static_cast<double>(top.size()));
    factor_one(top[i], columns, squares, local);
  }
}

void SparseCholesky::Factor::solve_sides(double* x, std::size_t step, std::size_t sides) const {
  std::size_t most = 0;
  const std::vector<Panel>& panels = structure.panels;
  for (const Panel& panel : panels) most = std::max(most, panel.below);
  std::vector<double> below(most * sides);
  // Panels that have something on their right side, or below one that has.
  std::vector<char> live(panels.size(), 0);
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const Panel& panel = panels[p];
    const std::span<const int> rows = structure.rows[p];
    double* own = x + at(panel.first) * step;
    for (std::size_t i = 0; i < panel.columns() && live[p] == 0; ++i) {
      const double* row = own + i * step;
      if (std::any_of(row, row + sides, [](double value) { return value != 0; })) live[p] = 1;
    }
    if (live[p] == 0) continue;
    if (panel.parent != none) live[panel.parent] = 1;
    solve_forward(elements.get() + panel.place, panel.height(), panel.columns(), sides, own, step,
                  below.data());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double* row = x + at(rows[i]) * step;
      for (std::size_t j = 0; j < sides; ++j) row[j] -= below[i * sides + j];
    }
  }
  for (std::size_t p = panels.size(); p-- > 0;) {
    const Panel& panel = panels[p];
    const std::span<const int> rows = structure.rows[p];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::copy_n(x + at(rows[i]) * step, sides, below.data() + i * sides);
    }
    solve_backward(elements.get() + panel.place, panel.height(), panel.columns(), sides,
                   x + at(panel.first) * step, step, below.data());
  }
}

ColumnSums::ColumnSums(int size) : sums_(at(size), 0.0), seen_(at(size), none) {
  matrix_.size = size;
}

void ColumnSums::add(int row, double value) {
  if (seen_[row] != column_) {
    seen_[row] = column_;
    sums_[row] = 0;
    rows_.push_back(row);
  }
  sums_[row] += value;
}

void ColumnSums::next() {
  std::sort(rows_.begin(), rows_.end());
  for (const int row : rows_) {
    matrix_.rows.push_back(row);
    matrix_.values.push_back(sums_[row]);
  }
  matrix_.starts.push_back(matrix_.rows.size());
  rows_.clear();
  ++column_;
}

SymmetricMatrix assemble(int size, const std::vector<Triplet>& triplets) {
  std::vector<std::size_t> starts(at(size) + 1, 0);
  for (const Triplet& t : triplets) {
    if (t.column < 0 || t.row < t.column || t.row >= size) {
      throw UsageError("a matrix element lies outside of the lower triangle");
    }
    ++starts[at(t.column) + 1];
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::size_t> by_column(triplets.size());
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t k = 0; k < triplets.size(); ++k) {
    by_column[next[triplets[k].column]++] = k;
  }
  ColumnSums sums(size);
  for (std::size_t column = 0; column < at(size); ++column) {
    for (std::size_t k = starts[column]; k < starts[column + 1]; ++k) {
      const Triplet& t = triplets[by_column[k]];
      sums.add(t.row, t.value);
    }
    sums.next();
  }
  return sums.take();
}

void multiply(const SymmetricMatrix& a, std::span<const double> x, std::size_t count,
              std::span<double> y) {
  std::fill(y.begin(), y.end(), 0.0);
  for (std::size_t column = 0; column < at(a.size); ++column) {
    for (std::size_t k = a.starts[column]; k < a.starts[column + 1]; ++k) {
      const std::size_t row = at(a.rows[k]);
      const double value = a.values[k];
      for (std::size_t j = 0; j < count; ++j) y[row * count + j] += value * x[column * count + j];
      if (row == column) continue;
      for (std::size_t j = 0; j < count; ++j) y[column * count + j] += value * x[row * count + j];
    }
  }
}

SparseCholesky::SparseCholesky(const SymmetricMatrix& a, std::span<const Vec3> points,
                               const Progress& progress)
    : SparseCholesky(
          a,
          [&] {
            progress.report("ordering", 0);
            return EliminationOrder(a, points);
          }(),
          progress) {}

SparseCholesky::SparseCholesky(const SymmetricMatrix& a, EliminationOrder order,
                               const Progress& progress)
    : factor_(std::make_unique<Factor>(std::move(order))) {
  factor_->factor(a, progress);
}

void SparseCholesky::refactor(const SymmetricMatrix& a, const Progress& progress) {
  factor_->factor(a, progress);
}

SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

void SparseCholesky::solve(std::span<double> sides, std::size_t count) const {
  const std::vector<int>& order = factor_->structure.order;
  const std::size_t n = order.size();
  if (sides.size() != n * count) throw UsageError("right-hand sides of the wrong length");
  parallel_for(count, sides_at_once, [&](std::size_t begin, std::size_t end) {
    const std::size_t used = end - begin, padded = padded_sides(used);
    const std::unique_ptr<double[]> x(new double[n * padded]);
    for (std::size_t k = 0; k < n; ++k) {
      double* row = x.get() + k * padded;
      std::copy_n(sides.data() + at(order[k]) * count + begin, used, row);
      std::fill_n(row + used, padded - used, 0.0);
    }
    factor_->solve_sides(x.get(), padded, padded);
    for (std::size_t k = 0; k < n; ++k) {
      std::copy_n(x.get() + k * padded, used, sides.data() + at(order[k]) * count + begin);
    }
  });
}

void SparseCholesky::solve_in_order(std::span<double> sides, std::size_t count) const {
  const std::size_t step = padded_sides(count);
  if (sides.size() != factor_->structure.order.size() * step) {
    throw UsageError("right-hand sides of the wrong length");
  }
  parallel_for(step, sides_at_once, [&](std::size_t begin, std::size_t end) {
    factor_->solve_sides(sides.data() + begin, step, end - begin);
  });
}

std::size_t SparseCholesky::padded_sides(std::size_t count) {
  return (count + side_group - 1) / side_group * side_group;
}

std::size_t SparseCholesky::factor_size() const { return factor_->structure.element_count; }

}  // namespace sinew::detail

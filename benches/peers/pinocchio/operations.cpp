// Operations of Pinocchio's algorithms, run on symbols of CasADi, for an arm with its numbers.
//
// Argument: its name; it is read from the standard input.
#include "arm.hpp"
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <algorithm>
#include <vector>

static SX column(const Vector &vector) {
  SX result(vector.size(), 1);
  for (int i = 0; i < vector.size(); i++) result(i) = vector[i];
  return result;
}

static long operations(const std::vector<SX> &arguments, const SX &result) {
  casadi::Function function("f", arguments, {cse(densify(result))});
  long count = 0;
  for (casadi_int k = 0; k < function.n_instructions(); k++) {
    auto kind = function.instruction_id(k);
    count += kind != casadi::OP_CONST && kind != casadi::OP_INPUT && kind != casadi::OP_OUTPUT &&
             kind != casadi::OP_PARAMETER && kind != casadi::OP_NEG;
  }
  return count;
}

int main(int, char **arguments) {
  auto model = read().cast<SX>();
  const int n = model.nv;
  SX q = SX::sym("q", n), v = SX::sym("v", n), u = SX::sym("u", n);
  pinocchio::DataTpl<SX> of_mass(model), of_bias(model), of_bodies(model);
  pinocchio::crba(model, of_mass, symbols(q), pinocchio::Convention::LOCAL);
  SX mass(n, n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) mass(i, k) = of_mass.M(std::min(i, k), std::max(i, k));
  SX bias = column(pinocchio::nonLinearEffects(model, of_bias, symbols(q), symbols(v)));
  SX pivots, lower;
  std::vector<casadi_int> order;
  ldl(mass, pivots, lower, order, true);
  SX by_mass = ldl_solve(u - bias, pivots, lower, order);
  pinocchio::aba(model, of_bodies, symbols(q), symbols(v), symbols(u), pinocchio::Convention::LOCAL);
  std::printf("| %s | %ld | %ld | %ld by M, %ld by bodies |\n", arguments[1], operations({q}, mass),
              operations({q, v}, bias), operations({q, v, u}, by_mass), operations({q, v, u}, column(of_bodies.ddq)));
}

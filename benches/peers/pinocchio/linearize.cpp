// Writes C for A and B of `linearize`, from the derivatives of Pinocchio's articulated-body algorithm run on symbols of
// CasADi, and from CasADi's derivatives of that algorithm.
//
// Arguments: the folder, and the name of an arm, which is read. Without a name chains of points on rods are written, by
// angles against the vertical.
#include "arm.hpp"
#include "entry.hpp"
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>

using Matrix = Eigen::Matrix<SX, Eigen::Dynamic, Eigen::Dynamic>;

static SX matrix(const Matrix &entries) {
  SX result(entries.rows(), entries.cols());
  for (int i = 0; i < entries.rows(); i++)
    for (int k = 0; k < entries.cols(); k++) result(i, k) = entries(i, k);
  return result;
}

// [0 I 0; derivatives of the acceleration]
static SX linearization(const SX &by_q, const SX &by_v, const SX &by_u) {
  const int n = by_q.rows();
  return vertcat(horzcat(SX(n, n), SX::eye(n), SX(n, by_u.columns())), horzcat(by_q, by_v, by_u));
}

// `angles`: those of joints by those that are given.
static void write(const std::string &folder, const std::string &name, const Model &numbers, int inputs, const SX &angles) {
  auto model = numbers.cast<SX>();
  const int n = model.nv;
  SX q = SX::sym("q", n), v = SX::sym("v", n), u = SX::sym("u", inputs), p = SX::sym("p", 0);
  Vector forces = symbols(inputs ? u : SX::zeros(n));
  SX given = inv(angles);

  pinocchio::DataTpl<SX> data(model);
  Matrix of_q = Matrix::Zero(n, n), of_v = Matrix::Zero(n, n), inverse = Matrix::Zero(n, n);
  pinocchio::computeABADerivatives(model, data, symbols(mtimes(angles, q)), symbols(mtimes(angles, v)), forces, of_q, of_v,
                                   inverse);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++) inverse(i, k) = inverse(k, i);
  auto converted = [&](const Matrix &by) { return mtimes(given, mtimes(matrix(by), angles)); };
  SX by_u = inputs ? matrix(inverse) : SX(n, 0);
  write_entry(folder, name + "_linearize", name + "_linearize", {q, v, u, p},
              linearization(converted(of_q), converted(of_v), by_u));

  pinocchio::DataTpl<SX> of_bodies(model);
  pinocchio::aba(model, of_bodies, symbols(mtimes(angles, q)), symbols(mtimes(angles, v)), forces,
                 pinocchio::Convention::LOCAL);
  SX a = mtimes(given, matrix(of_bodies.ddq));
  write_entry(folder, name + "_linearizead", name + "_linearizead", {q, v, u, p},
              linearization(jacobian(a, q), jacobian(a, v), jacobian(a, u)));
}

static Model chain(int links) {
  Model model;
  Eigen::Matrix3d down;
  down << 0, 1, 0, -1, 0, 0, 0, 0, 1;
  pinocchio::SE3 place(down, Eigen::Vector3d::Zero());
  for (int i = 0; i < links; i++) {
    auto joint = model.addJoint(i, pinocchio::JointModelRZ(), place, "joint" + std::to_string(i));
    model.appendBodyToJoint(joint, pinocchio::Inertia(1, Eigen::Vector3d(1, 0, 0), Eigen::Matrix3d::Zero()));
    place = pinocchio::SE3(Eigen::Matrix3d::Identity(), Eigen::Vector3d(1, 0, 0));
  }
  model.gravity.linear() = Eigen::Vector3d(0, -9.81, 0);
  return model;
}

int main(int count, char **arguments) {
  std::string folder = arguments[1];
  if (count > 2) {
    auto arm = read();
    write(folder, arguments[2], arm, arm.nv, SX::eye(arm.nv));
    return 0;
  }
  for (int links : {2, 5, 10, 20}) {
    SX angles = SX::eye(links);
    for (int i = 1; i < links; i++) angles(i, i - 1) = -1;
    write(folder, "W1n" + std::to_string(links) + "_pin", chain(links), 0, angles);
  }
}

// Writes C for the large systems that Pinocchio can describe: its articulated-body algorithm, run on symbols of CasADi.
//
// Argument: the folder. The numbers are those of `../src/large`.
#include "entry.hpp"
#include <pinocchio/autodiff/casadi.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/multibody.hpp>

#include <string>
#include <vector>

using casadi::SX;
using Vector = Eigen::Matrix<SX, Eigen::Dynamic, 1>;
using pinocchio::Inertia;
using pinocchio::Model;
using pinocchio::SE3;
using Eigen::Vector3d;

static SE3 at(double x, double y, double z) { return SE3(Eigen::Matrix3d::Identity(), Vector3d(x, y, z)); }

static Inertia body(double mass, Vector3d centre, Vector3d moments) {
  return Inertia(mass, centre, Eigen::Matrix3d(moments.asDiagonal()));
}

static pinocchio::JointModel joint(char axis) {
  switch (axis) {
    case 'x': return pinocchio::JointModelRX();
    case 'y': return pinocchio::JointModelRY();
    default: return pinocchio::JointModelRZ();
  }
}

// Links of the same numbers, each on the one before.
static void limb(Model &model, pinocchio::JointIndex parent, SE3 place, const std::string &axes, SE3 next, Inertia link) {
  for (char axis : axes) {
    parent = model.addJoint(parent, joint(axis), place, "joint" + std::to_string(model.njoints));
    model.appendBodyToJoint(parent, link);
    place = next;
  }
}

static Model spatial(int links) {
  Model model;
  std::string axes;
  for (int i = 0; i < links; i++) axes += "zxy"[i % 3];
  limb(model, 0, SE3::Identity(), axes, at(0.5, 0, 0), body(1.3, {0.25, 0, 0}, {0.01, 0.03, 0.03}));
  return model;
}

// The trunk by its place and a quaternion: rates of the place, and of turning in the axes of the trunk.
static Model walker(const std::vector<std::string> &limbs) {
  Model model;
  auto trunk = model.addJoint(0, pinocchio::JointModelTranslation(), SE3::Identity(), "place");
  trunk = model.addJoint(trunk, pinocchio::JointModelSpherical(), SE3::Identity(), "attitude");
  model.appendBodyToJoint(trunk, body(10, {0.01, 0, 0.1}, {0.2, 0.3, 0.25}));
  for (size_t i = 0; i < limbs.size(); i++)
    limb(model, trunk, at(0.1, 0.1 * i, 0.2), limbs[i], at(0, 0, -0.2), body(1.1, {0.01, 0.02, -0.1}, {0.02, 0.03, 0.01}));
  return model;
}

static Vector symbols(const SX &all) {
  Vector result(all.rows());
  for (int i = 0; i < all.rows(); i++) result[i] = all(i);
  return result;
}

// `floating`: numbers of v that no input drives, and which come first.
static void write(const std::string &folder, const std::string &name, Model numbers, int floating) {
  numbers.gravity.linear() = Vector3d(0, 0, -9.81);
  auto model = numbers.cast<SX>();
  pinocchio::DataTpl<SX> data(model);
  SX q = SX::sym("q", model.nq), v = SX::sym("v", model.nv), u = SX::sym("u", model.nv - floating), p = SX::sym("p", 0);
  Vector forces = symbols(vertcat(SX::zeros(floating), u));
  pinocchio::aba(model, data, symbols(q), symbols(v), forces, pinocchio::Convention::LOCAL);
  SX a(model.nv, 1);
  for (int i = 0; i < model.nv; i++) a(i) = data.ddq[i];
  write_entry(folder, name, name + "_fd", {q, v, u, p}, a);
}

int main(int, char **arguments) {
  std::string folder = arguments[1];
  for (int links : {10, 20, 40}) write(folder, "spatial" + std::to_string(links) + "_pin", spatial(links), 0);
  write(folder, "quadruped_pin", walker({"xyy", "xyy", "xyy", "xyy"}), 6);
  write(folder, "humanoid_pin", walker({"zxyyyx", "zxyyyx", "zxyxzyxzy", "zxyxzyxzy"}), 6);
}

// Writes C for accelerations of robots from files: Pinocchio's articulated-body algorithm, run on symbols of CasADi.
//
// Argument: the folder. For each robot the input has a line with its name, a file with Pinocchio's model as text, whether
// the base is a free joint, and the number of the other joints; then a line for each of these in the order of q and v: its
// name and its damping. A free base comes before them: position and quaternion in q; in v the velocity in the world and
// the angular velocity in the base. Prints the operations of each.
#include "entry.hpp"
#include <pinocchio/autodiff/casadi.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/serialization.hpp>

#include <iostream>

using casadi::SX;
using Vector = Eigen::Matrix<SX, Eigen::Dynamic, 1>;
using Vector3 = Eigen::Matrix<SX, 3, 1>;
using pinocchio::Model;

struct Joint {
  std::string name;
  double damping;
};

static long operations(const SX &result) {
  casadi::Function function("f", symvar(result), {cse(result)});
  long count = 0;
  for (casadi_int k = 0; k < function.n_instructions(); k++) {
    auto kind = function.instruction_id(k);
    count += kind != casadi::OP_CONST && kind != casadi::OP_INPUT && kind != casadi::OP_OUTPUT &&
             kind != casadi::OP_PARAMETER && kind != casadi::OP_NEG;
  }
  return count;
}

// The same with two joints in the place of the free base, one for the place and one for the rotation.
static Model in_two_joints(const Model &model) {
  Model result;
  auto base = result.addJoint(0, pinocchio::JointModelTranslation(), pinocchio::SE3::Identity(), "place");
  base = result.addJoint(base, pinocchio::JointModelSpherical(), pinocchio::SE3::Identity(), "attitude");
  result.appendBodyToJoint(base, model.inertias[1]);
  for (pinocchio::JointIndex i = 2; i < pinocchio::JointIndex(model.njoints); i++) {
    auto joint = result.addJoint(model.parents[i] + 1, model.joints[i], model.jointPlacements[i], model.names[i]);
    result.appendBodyToJoint(joint, model.inertias[i]);
  }
  return result;
}

// Accelerations by q, v and u. The base is given its velocity in its own axes where it is one joint.
static SX accelerations(Model numbers, const std::vector<Joint> &joints, bool free, bool one_joint, const SX &q, const SX &v,
                        const SX &u) {
  numbers.gravity.linear() = Eigen::Vector3d(0, 0, -9.81);
  auto model = numbers.cast<SX>();
  pinocchio::DataTpl<SX> data(model);
  Vector place(model.nq), rates(model.nv), forces(model.nv);
  const int before = free ? 6 : 0;
  Eigen::Matrix<SX, 3, 3> rotation;
  Vector3 moves, turns;
  if (free) {
    for (int i = 0; i < 7; i++) place[i] = q(i);
    for (int i = 0; i < 3; i++) moves[i] = v(i), turns[i] = v(3 + i), forces[i] = forces[3 + i] = 0;
    rotation = Eigen::Quaternion<SX>(q(6), q(3), q(4), q(5)).toRotationMatrix();
    if (one_joint) moves = (rotation.transpose() * moves).eval();
    rates.head(3) = moves;
    rates.segment(3, 3) = turns;
  }
  for (size_t i = 0; i < joints.size(); i++) {
    auto &joint = model.joints[model.getJointId(joints[i].name)];
    SX angle = q(before + free + i), rate = v(before + i);
    if (joint.nq() == 1) {
      place[joint.idx_q()] = angle;
    } else {
      place[joint.idx_q()] = cos(angle), place[joint.idx_q() + 1] = sin(angle);
    }
    rates[joint.idx_v()] = rate;
    forces[joint.idx_v()] = u(i) - joints[i].damping * rate;
  }
  pinocchio::aba(model, data, place, rates, forces, pinocchio::Convention::LOCAL);
  SX a(model.nv, 1);
  if (free) {
    Vector3 along = data.ddq.head(3);
    if (one_joint) along = (rotation * (along + turns.cross(moves))).eval();
    for (int i = 0; i < 3; i++) a(i) = along[i], a(3 + i) = data.ddq[3 + i];
  }
  for (size_t i = 0; i < joints.size(); i++) a(before + i) = data.ddq[model.joints[model.getJointId(joints[i].name)].idx_v()];
  return a;
}

static void write(const std::string &folder, const std::string &name, const std::string &file, bool free,
                  const std::vector<Joint> &joints) {
  Model model;
  pinocchio::serialization::loadFromText(model, file);
  if (model.nv != int(joints.size()) + (free ? 6 : 0)) throw std::runtime_error(name + ": another number of joints");
  SX q = SX::sym("q", joints.size() + (free ? 7 : 0)), v = SX::sym("v", model.nv), u = SX::sym("u", joints.size());
  SX a = accelerations(model, joints, free, true, q, v, u);
  if (free) {
    // The cheaper way to describe the base is compared with.
    SX other = accelerations(in_two_joints(model), joints, free, false, q, v, u);
    printf("%s: base in one joint %ld operations, in two joints %ld\n", name.c_str(), operations(a), operations(other));
    if (operations(other) < operations(a)) a = other;
  }
  write_entry(folder, name + "_pin", name + "_pin_fd", {q, v, u, SX::sym("p", 0)}, a);
  printf("robot %s %ld\n", name.c_str(), operations(a));
  fflush(stdout);
}

int main(int, char **arguments) {
  std::string name, file;
  bool free;
  size_t count;
  while (std::cin >> name >> file >> free >> count) {
    std::vector<Joint> joints(count);
    for (auto &joint : joints) std::cin >> joint.name >> joint.damping;
    write(arguments[1], name, file, free, joints);
  }
}

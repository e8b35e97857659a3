// An arm with its numbers from the standard input: a link a line, its frame in the one before it (R by rows, p), which
// turns about z; its mass, the middle of the mass, and the moments about it by rows.
#pragma once
#include <casadi/casadi.hpp>
#include <pinocchio/autodiff/casadi.hpp>
#include <pinocchio/multibody.hpp>

#include <iostream>
#include <string>

using casadi::SX;
using Vector = Eigen::Matrix<SX, Eigen::Dynamic, 1>;
using pinocchio::Model;

static Eigen::Matrix3d read_matrix() {
  Eigen::Matrix3d matrix;
  for (int i = 0; i < 9; i++) std::cin >> matrix(i / 3, i % 3);
  return matrix;
}

static Eigen::Vector3d read_vector() {
  Eigen::Vector3d vector;
  for (int i = 0; i < 3; i++) std::cin >> vector[i];
  return vector;
}

static Model read() {
  Model model;
  while (std::cin >> std::ws && !std::cin.eof()) {
    Eigen::Matrix3d turn = read_matrix();
    Eigen::Vector3d place = read_vector();
    double mass;
    std::cin >> mass;
    Eigen::Vector3d middle = read_vector();
    auto joint = model.addJoint(model.njoints - 1, pinocchio::JointModelRZ(), pinocchio::SE3(turn, place),
                                "joint" + std::to_string(model.njoints));
    model.appendBodyToJoint(joint, pinocchio::Inertia(mass, middle, read_matrix()));
  }
  model.gravity.linear() = Eigen::Vector3d(0, 0, -9.81);
  return model;
}

static Vector symbols(const SX &all) {
  Vector result(all.rows());
  for (int i = 0; i < all.rows(); i++) result[i] = all(i);
  return result;
}

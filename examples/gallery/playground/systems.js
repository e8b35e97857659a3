// The entries of the menu, with the values at the start that differ from those of a text that one types.
const SYSTEMS = [
  { id: "cart_pole", title: "Cart and pole", start: { x: -0.6, theta: 0.4 } },
  { id: "double_pendulum", title: "Double pendulum", start: { a: 2, b: 2.5 } },
  { id: "four_bar", title: "Four-bar linkage", start: { crank: 0, coupler: 1.3, rocker: 1.8 } },
  { id: "rolling_ball", title: "Rolling ball", start: { x: 0.6, y: 0, "der(y)": 1, "der(attitude).x": 0, "der(attitude).y": 0, "der(attitude).z": 0 } },
  { id: "pendulum", title: "Pendulum", start: { theta: 2 } },
  { id: "robot_arm", title: "Robot arm", start: { "q[0]": -0.8, "q[1]": -0.5, "q[2]": 2 } },
  { id: "motor", title: "Motor with a current", start: { theta: 0 } },
  { id: "springs", title: "Masses on springs", start: { a: 0.6, b: 2, c: 3.2 } },
  { id: "chain", title: "Chain by a loop", start: { "q[0]": 1.6, "q[1]": 1.6, "q[2]": 1.6, "q[3]": 1.6, "q[4]": 1.6, "q[5]": 1.6 } },
  { id: "t_handle", title: "T-handle", start: {} },
  { id: "shaken_pendulum", title: "Shaken pendulum", start: { theta: 0.4 } },
];

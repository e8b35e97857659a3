// Draws rods and lower bobs from the buffers that the exported shader steps.
struct View { first: vec4f, last: vec4f, scale: vec2f, count: f32, radius: f32 }
struct Painted { @builtin(position) place: vec4f, @location(0) color: vec4f, @location(1) corner: vec2f }

@group(0) @binding(0) var<uniform> view: View;
// m1, m2, l1, l2, g, and the angles a of all pendulums before the angles b.
@group(0) @binding(1) var<storage, read> parameters: array<f32>;
@group(0) @binding(2) var<storage, read> q: array<f32>;

// The elbow and the bob below it.
fn joints(i: u32) -> array<vec2f, 2> {
    let a = q[i];
    let b = q[u32(view.count) + i];
    let elbow = parameters[2] * vec2f(sin(a), -cos(a));
    return array(elbow, elbow + parameters[3] * vec2f(sin(b), -cos(b)));
}

fn painted(point: vec2f, corner: vec2f, i: u32, opacity: f32) -> Painted {
    let color = mix(view.first, view.last, f32(i) / (view.count - 1));
    return Painted(vec4f(point * view.scale, 0, 1), vec4f(color.rgb, opacity), corner);
}

// Four vertices for each pendulum: two lines.
@vertex fn rods(@builtin(vertex_index) vertex: u32) -> Painted {
    let i = vertex / 4;
    let at = joints(i);
    var points = array(vec2f(), at[0], at[0], at[1]);
    return painted(points[vertex % 4], vec2f(), i, 0.05);
}

// Six vertices for each: two triangles, of which the disc inside is painted.
@vertex fn bobs(@builtin(vertex_index) vertex: u32) -> Painted {
    let i = vertex / 6;
    var corners = array(vec2f(-1, -1), vec2f(1, -1), vec2f(-1, 1), vec2f(-1, 1), vec2f(1, -1), vec2f(1, 1));
    let corner = corners[vertex % 6];
    return painted(joints(i)[1] + view.radius * corner, corner, i, 0.7);
}

@fragment fn paint(it: Painted) -> @location(0) vec4f {
    if (dot(it.corner, it.corner) > 1) { discard; }
    return it.color;
}

//! A system as a model of FMI 2.0: its variables, `modelDescription.xml`, and the header that `fmu.c` includes.

use lagrangian::System;
use lagrangian::nalgebra::SVector;

/// The variables by name, with their initial values; without time and rotations, so that dq/dt = v.
pub(crate) struct Model {
    pub(crate) name: &'static str,
    /// The text of `export c99`.
    pub(crate) text: &'static str,
    parameters: Vec<String>,
    inputs: Vec<String>,
    states: Vec<String>,
    outputs: Vec<String>,
    /// Initial values of the parameters, the inputs and the states.
    values: Vec<f64>,
}

/// The names of q and of v: `x` and `x_rate`.
pub(crate) fn states<M, const N: usize, const K: usize, const C: usize>() -> Vec<String>
where
    M: System<f64, N, N, K, C>,
{
    let rates = M::COORDINATES.map(|name| format!("{name}_rate"));
    owned(&M::COORDINATES).into_iter().chain(rates).collect()
}

/// The energy, and the residual of each constraint.
pub(crate) fn outputs<M, const N: usize, const K: usize, const C: usize>() -> Vec<String>
where
    M: System<f64, N, N, K, C>,
{
    let residuals = M::CONSTRAINTS.iter().map(|name| (*name).to_owned());
    ["energy".to_owned()].into_iter().chain(residuals).collect()
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

impl Model {
    pub(crate) fn of<M, const N: usize, const K: usize, const C: usize>(
        name: &'static str,
        text: &'static str,
    ) -> Self
    where
        M: System<f64, N, N, K, C>,
    {
        Self {
            name,
            text,
            parameters: owned(M::PARAMETERS),
            inputs: owned(&M::INPUTS),
            states: states::<M, N, K, C>(),
            outputs: outputs::<M, N, K, C>(),
            values: Vec::new(),
        }
    }

    /// The model with these parameters and this state, and without inputs.
    pub(crate) fn starting_from<const N: usize>(
        mut self,
        parameters: &[f64],
        (q, v): &(SVector<f64, N>, SVector<f64, N>),
    ) -> Self {
        let inputs = self.inputs.iter().map(|_| 0.0);
        let state = q.iter().chain(v).copied();
        self.values = parameters
            .iter()
            .copied()
            .chain(inputs)
            .chain(state)
            .collect();
        self
    }

    /// The library and the description belong together if this text is the same: the names of all variables in order.
    fn guid(&self) -> String {
        let lists = [&self.parameters, &self.inputs, &self.states, &self.outputs];
        let lists = lists.map(|names| names.join(" "));
        format!("{}: {}", self.name, lists.join("; "))
    }

    /// The header `system.h`. FMI's numbers of variables are places in the order of parameters, inputs, states,
    /// derivatives of the states, outputs.
    pub(crate) fn header(&self) -> String {
        let (name, n) = (self.name, self.states.len() / 2);
        let values: Vec<String> = self
            .values
            .iter()
            .map(|value| format!("{value:?}"))
            .collect();
        let residual = if self.outputs.len() > 1 {
            format!(
                "    if (code == 0) code = {name}_constraint_residual(system, y, outputs + 1);\n"
            )
        } else {
            String::new()
        };
        format!(
            "#include \"{name}.c\"\n\n\
             typedef {name} System;\n\
             static const char GUID[] = \"{}\";\n\
             enum {{ PARAMETERS = {}, INPUTS = {}, STATES = {}, OUTPUTS = {} }};\n\
             static const double START[] = {{{}}};\n\n\
             static int evaluate(const System *system, const double *y, const double *u, double *rate, double *outputs)\n\
             {{\n    int code = {name}_state_derivative(system, y, u, rate);\n    \
             if (code == 0) code = {name}_energy(system, y, y + {n}, outputs);\n{residual}    return code;\n}}\n",
            self.guid(),
            self.parameters.len(),
            self.inputs.len(),
            self.states.len(),
            self.outputs.len(),
            values.join(", "),
        )
    }

    pub(crate) fn description(&self) -> String {
        let name = self.name;
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <fmiModelDescription fmiVersion=\"2.0\" modelName=\"{name}\" guid=\"{}\" generationTool=\"lagrangian\" \
             variableNamingConvention=\"structured\" numberOfEventIndicators=\"0\">\n\
             <ModelExchange modelIdentifier=\"{name}\">\n\
             <SourceFiles><File name=\"fmu.c\"/></SourceFiles>\n\
             </ModelExchange>\n\
             <ModelVariables>\n{}</ModelVariables>\n\
             <ModelStructure>\n{}</ModelStructure>\n\
             </fmiModelDescription>\n",
            self.guid(),
            self.variables(),
            self.structure(),
        )
    }

    fn variables(&self) -> String {
        let mut text = String::new();
        let mut number = 0;
        let mut add = |name: &str, attributes: &str, real: &str| {
            text += &format!(
                "<ScalarVariable name=\"{name}\" valueReference=\"{number}\" {attributes}><Real{real}/></ScalarVariable>\n"
            );
            number += 1;
        };
        let kinds = [
            (
                &self.parameters,
                "causality=\"parameter\" variability=\"tunable\"",
            ),
            (&self.inputs, "causality=\"input\""),
            (&self.states, "causality=\"output\" initial=\"exact\""),
        ];
        let named = kinds
            .iter()
            .flat_map(|(names, attributes)| names.iter().map(move |name| (name, attributes)));
        for ((name, attributes), value) in named.zip(&self.values) {
            add(name, attributes, &format!(" start=\"{value:?}\""));
        }
        for (state, name) in (self.first_state()..).zip(&self.states) {
            add(
                &format!("der({name})"),
                "causality=\"local\"",
                &format!(" derivative=\"{state}\""),
            );
        }
        for name in &self.outputs {
            add(name, "causality=\"output\"", "");
        }
        text
    }

    /// The index of the first state, counted from 1.
    fn first_state(&self) -> usize {
        self.parameters.len() + self.inputs.len() + 1
    }

    /// Outputs, derivatives, and the values that an initialization computes; indices are counted from 1.
    fn structure(&self) -> String {
        let state = self.first_state();
        let derivative = state + self.states.len();
        let output = derivative + self.states.len();
        let end = output + self.outputs.len();
        let list = |name: &str, indices: &mut dyn Iterator<Item = usize>| {
            let unknowns: String = indices
                .map(|index| format!("<Unknown index=\"{index}\"/>"))
                .collect();
            format!("<{name}>{unknowns}</{name}>\n")
        };
        list("Outputs", &mut (state..derivative).chain(output..end))
            + &list("Derivatives", &mut (derivative..output))
            + &list("InitialUnknowns", &mut (derivative..end))
    }
}

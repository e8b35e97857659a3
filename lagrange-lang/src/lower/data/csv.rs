//! Columns of numbers in text.

/// A mistake in a file.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Mistake {
    /// No column has this name. The names that there are.
    Unknown(Vec<String>),
    /// A mistake in a line, counted from 1.
    Line(usize, String),
}

/// The numbers of a column. The first line has the names; blanks, empty lines and what follows `#` are left out.
pub(super) fn column(text: &str, name: &str) -> Result<Vec<f64>, Mistake> {
    // A byte order mark is not part of the first name.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text
        .lines()
        .enumerate()
        .filter_map(|(index, line)| {
            let line = line.split('#').next().unwrap_or_default().trim();
            (!line.is_empty()).then(|| (index + 1, fields(line)))
        })
        .peekable();
    let Some((first, names)) = lines.next() else {
        let message =
            "there is no line of names\n\nhelp: begin with the names of the columns, `x, y`";
        return Err(Mistake::Line(1, message.to_owned()));
    };
    let mut places = names
        .iter()
        .enumerate()
        .filter(|(_, known)| **known == name);
    let Some((place, _)) = places.next() else {
        return Err(Mistake::Unknown(
            names.into_iter().map(str::to_owned).collect(),
        ));
    };
    if places.next().is_some() {
        let message = format!("two columns are called `{name}`\n\nhelp: rename one of them");
        return Err(Mistake::Line(first, message));
    }
    if lines.peek().is_none() {
        let message = "no numbers follow the names\n\nhelp: give each column its numbers, a line for each point";
        return Err(Mistake::Line(first, message.to_owned()));
    }
    let numbers = lines.map(|(line, values)| {
        if values.len() != names.len() {
            let (found, wanted) = (values.len(), names.len());
            let message = format!(
                "a line of {found} below {wanted} names\n\nhelp: give each column a number, with `,` between them"
            );
            return Err(Mistake::Line(line, message));
        }
        let number = values[place].parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| {
            let message = format!(
                "`{}` in column `{name}` is no finite number\n\nhelp: write a decimal such as `1.5e-3`",
                values[place]
            );
            Mistake::Line(line, message)
        })
    });
    numbers.collect()
}

/// The parts between commas, without blanks and quotation marks.
fn fields(line: &str) -> Vec<&str> {
    line.split(',')
        .map(str::trim)
        .map(|part| {
            part.strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'))
                .map_or(part, str::trim)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_comments_and_line_ends_do_not_matter() {
        let text = "\u{feff}# made by hand\r\n x , \"y\"\r\n\r\n1,  2 # first\r\n-3.5e-1 ,4\r\n";
        assert_eq!(column(text, "x").unwrap(), [1.0, -0.35]);
        assert_eq!(column(text, "y").unwrap(), [2.0, 4.0]);
    }

    #[test]
    fn mistakes_have_their_line() {
        let line = |text| match column(text, "y") {
            Err(Mistake::Line(line, _)) => line,
            other => panic!("{other:?}"),
        };
        assert_eq!(line(""), 1);
        assert_eq!(line("\nx, y\n"), 2);
        assert_eq!(line("x, y\n1, 2\n\n3\n"), 4);
        assert_eq!(line("x, y\n1, 2\n3, 4, 5\n"), 3);
        assert_eq!(line("x, y\n1, inf\n"), 2);
        assert_eq!(line("x, y\n1, \n"), 2);
        assert_eq!(line("x, y, y\n1, 2, 3\n"), 1);
        let names = vec!["x".to_owned(), "z".to_owned()];
        assert_eq!(column("x, z\n1, 2", "y"), Err(Mistake::Unknown(names)));
    }
}

//! Values for the rows of contacts and joints.

/// `A` values for each of the `P` contacts, then `B` values for each of the `M` joints. A row is a number below
/// [`COUNT`](Self::COUNT).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<X, const A: usize, const B: usize, const P: usize, const M: usize> {
    pub(crate) contacts: [[X; A]; P],
    pub(crate) joints: [[X; B]; M],
}

/// A square matrix, by rows.
pub(crate) type Square<S, const A: usize, const B: usize, const P: usize, const M: usize> =
    Rows<Rows<S, A, B, P, M>, A, B, P, M>;

impl<X: Copy, const A: usize, const B: usize, const P: usize, const M: usize> Rows<X, A, B, P, M> {
    /// The number of rows.
    pub(crate) const COUNT: usize = A.wrapping_mul(P).wrapping_add(B.wrapping_mul(M));

    /// The same value in each row.
    pub(crate) fn filled(value: X) -> Self {
        Self {
            contacts: [[value; A]; P],
            joints: [[value; B]; M],
        }
    }

    pub(crate) fn get(&self, row: usize) -> Option<&X> {
        let contacts = self.contacts.as_flattened();
        match row.checked_sub(contacts.len()) {
            None => contacts.get(row),
            Some(joint) => self.joints.as_flattened().get(joint),
        }
    }

    pub(crate) fn get_mut(&mut self, row: usize) -> Option<&mut X> {
        let contacts = self.contacts.as_flattened_mut();
        match row.checked_sub(contacts.len()) {
            None => contacts.get_mut(row),
            Some(joint) => self.joints.as_flattened_mut().get_mut(joint),
        }
    }

    /// Replaces the value of a row.
    pub(crate) fn set(&mut self, row: usize, value: X) {
        if let Some(place) = self.get_mut(row) {
            *place = value;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &X> {
        let joints = self.joints.as_flattened();
        self.contacts.as_flattened().iter().chain(joints)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut X> {
        let joints = self.joints.as_flattened_mut();
        self.contacts.as_flattened_mut().iter_mut().chain(joints)
    }

    /// The values of a function of each value.
    pub(crate) fn map<Y: Copy>(&self, function: impl Fn(&X) -> Y) -> Rows<Y, A, B, P, M> {
        Rows {
            contacts: core::array::from_fn(|k| {
                core::array::from_fn(|i| function(&self.contacts[k][i]))
            }),
            joints: core::array::from_fn(|k| {
                core::array::from_fn(|i| function(&self.joints[k][i]))
            }),
        }
    }
}

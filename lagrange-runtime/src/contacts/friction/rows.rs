//! Values for the rows of contacts and joints.

use core::array;
use core::ops::IndexMut;

/// The numbers of contacts and joints, which say how values for each of them are stored.
#[doc(hidden)]
pub trait Sizes: Copy {
    /// A value for each contact.
    type Contacts<X: Clone>: AsRef<[X]> + AsMut<[X]> + IndexMut<usize, Output = X> + Clone;
    /// A value for each joint.
    type Joints<X: Clone>: AsRef<[X]> + AsMut<[X]> + IndexMut<usize, Output = X> + Clone;

    /// The value of a function for each contact.
    fn of_contacts<X: Clone>(self, function: impl FnMut(usize) -> X) -> Self::Contacts<X>;

    /// The value of a function for each joint.
    fn of_joints<X: Clone>(self, function: impl FnMut(usize) -> X) -> Self::Joints<X>;

    /// The number of contacts.
    fn contacts(self) -> usize;

    /// The number of joints.
    fn joints(self) -> usize;
}

/// `P` contacts and `M` joints.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fixed<const P: usize, const M: usize>;

impl<const P: usize, const M: usize> Sizes for Fixed<P, M> {
    type Contacts<X: Clone> = [X; P];
    type Joints<X: Clone> = [X; M];

    #[inline]
    fn of_contacts<X: Clone>(self, function: impl FnMut(usize) -> X) -> [X; P] {
        array::from_fn(function)
    }

    #[inline]
    fn of_joints<X: Clone>(self, function: impl FnMut(usize) -> X) -> [X; M] {
        array::from_fn(function)
    }

    #[inline]
    fn contacts(self) -> usize {
        P
    }

    #[inline]
    fn joints(self) -> usize {
        M
    }
}

/// `A` values for each contact, then `B` values for each joint. A row is a number below `count()`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Rows<X: Clone, const A: usize, const B: usize, L: Sizes> {
    pub(crate) sizes: L,
    pub contacts: L::Contacts<[X; A]>,
    pub joints: L::Joints<[X; B]>,
}

/// The rows of each contact: its gap, and two sliding velocities. Those of each joint: its velocity.
#[doc(hidden)]
pub type PerRow<X, L> = Rows<X, 3, 1, L>;

/// A square matrix, by rows.
#[doc(hidden)]
pub type Square<S, const A: usize, const B: usize, L> = Rows<Rows<S, A, B, L>, A, B, L>;

impl<X: Clone, const A: usize, const B: usize, L: Sizes> Rows<X, A, B, L> {
    /// The values of functions of the number of a contact or a joint, and of the number among its rows.
    #[doc(hidden)]
    #[inline]
    pub fn new(
        sizes: L,
        mut of_contact: impl FnMut(usize, usize) -> X,
        mut of_joint: impl FnMut(usize, usize) -> X,
    ) -> Self {
        Self {
            sizes,
            contacts: sizes.of_contacts(|k| array::from_fn(|i| of_contact(k, i))),
            joints: sizes.of_joints(|j| array::from_fn(|i| of_joint(j, i))),
        }
    }

    /// The same value in each row.
    #[inline]
    pub(crate) fn filled(sizes: L, value: X) -> Self {
        Self::new(sizes, |_, _| value.clone(), |_, _| value.clone())
    }

    /// The number of rows.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        let of_joints = B.wrapping_mul(self.sizes.joints());
        A.wrapping_mul(self.sizes.contacts())
            .wrapping_add(of_joints)
    }

    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<&X> {
        let contacts = self.contacts.as_ref().as_flattened();
        match row.checked_sub(contacts.len()) {
            None => contacts.get(row),
            Some(joint) => self.joints.as_ref().as_flattened().get(joint),
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, row: usize) -> Option<&mut X> {
        let contacts = self.contacts.as_mut().as_flattened_mut();
        match row.checked_sub(contacts.len()) {
            None => contacts.get_mut(row),
            Some(joint) => self.joints.as_mut().as_flattened_mut().get_mut(joint),
        }
    }

    /// Replaces the value of a row.
    #[inline]
    pub(crate) fn set(&mut self, row: usize, value: X) {
        if let Some(place) = self.get_mut(row) {
            *place = value;
        }
    }

    #[doc(hidden)]
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &X> {
        let joints = self.joints.as_ref().as_flattened();
        self.contacts.as_ref().as_flattened().iter().chain(joints)
    }

    #[inline]
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut X> {
        let joints = self.joints.as_mut().as_flattened_mut();
        let contacts = self.contacts.as_mut().as_flattened_mut();
        contacts.iter_mut().chain(joints)
    }

    /// The values of a function of each value.
    #[inline]
    pub(crate) fn map<Y: Clone>(&self, function: impl Fn(&X) -> Y) -> Rows<Y, A, B, L> {
        Rows::new(
            self.sizes,
            |k, i| function(&self.contacts[k][i]),
            |j, i| function(&self.joints[j][i]),
        )
    }
}

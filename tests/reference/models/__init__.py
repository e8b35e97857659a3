"""The systems, grouped as the tests are; importing a module registers its models."""

from . import attitudes, forces, guides, language, mechanisms, particles  # noqa: F401
from . import pendulums, rigid_bodies, rolling, spatial, variational  # noqa: F401

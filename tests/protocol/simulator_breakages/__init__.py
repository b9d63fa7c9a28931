"""Ways to break the rules on purpose, one at a time, which simulated games or a test must notice.

Each is bound to a name: a function, a method or a property that something else stands in for, or a constant. So it
outlives a rewriting of what it breaks, and a name that is gone is an error of the type checker and of this module.
`scripts/breakages.py` tries them, each in processes of its own.
"""

from simulator_breakages.agreements import AGREEMENTS
from simulator_breakages.chains import CHAINS
from simulator_breakages.play import PLAY
from simulator_breakages.readings import READINGS
from simulator_breakages.versions import VERSIONS
from simulator_breakages.watching import WATCHING

BREAKAGES = (*CHAINS, *VERSIONS, *PLAY, *AGREEMENTS, *WATCHING, *READINGS)

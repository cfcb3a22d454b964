"""Error messages to readings: `catalogue.txt` has the wording of each, and its facts.

`Reader` takes a text as it comes, and yields what its messages say: a `Reading` of each mismatch,
a `Fault` for each message of a known kind that is not about broadcasting. A message that needs code
names a function in its framework's module.
"""

from bcastcli.why.messages.catalogue import catalogue
from bcastcli.why.messages.reading import Fault, Message, Reading

__all__ = ["Fault", "Message", "Reading", "catalogue"]

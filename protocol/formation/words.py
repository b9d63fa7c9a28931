"""Three words that all players of a table read aloud: with a meddler between two clients, their words differ.

Each seat committed to its nonce before it saw the nonces of the others, so a meddler succeeds once in 2^30 attempts.
"""

from engine import blake, encode
from protocol.formation.charter import Charter

_BITS = 10


def phrase(charter: Charter) -> tuple[str, str, str]:
    """Return the three words of a table: 30 bits of the hash of its body and nonces."""
    bits = int.from_bytes(blake("sh/phrase/1", encode((charter.body.packed(), charter.nonces)))[:4], "big") >> 2
    first, second, third = (WORDS[bits >> shift & (1 << _BITS) - 1] for shift in (2 * _BITS, _BITS, 0))
    return first, second, third


_TEXT = """
abbey acid acorn acre actor adder agate agent alarm album alder almond aloe alpine amber amigo anchor angle ankle
anthem antique antler anvil apple apron arbor arcade arch archer arctic arena armor arrival arrow artist ash aspen
asphalt astronaut atlas atom attic aunt aurora autumn avenue avocado award axle bacon badge badger bagel baker balcony
ball bamboo banana banjo bank banner barber bark barley barn barrel basil basin basket bath bayou beach beacon bead
beagle beaver bee beech beetle belfry bell belt bench berry bicycle bingo birch bishop bison blade blanket blaze blimp
blizzard bloom blossom blue board boat bobcat bolt bonfire bonnet book boot border bottle bottom boulder bouquet bowl
box brace bracelet bramble branch brandy brass bread breeze brick bridge bright broccoli bronze brook broom brother
brown brush bubble bucket buckle buffalo buffet bugle bull bundle bungalow bunny burrow bus bush butter button cabbage
cabin cabinet cable cactus cafe cage cake calf calico camel camera camp campus canal canary candle candy canoe canteen
canvas canyon cape captain caramel caravan card cardinal cargo caribou carnival carpet carrot cart carve cashew castle
cat catfish cattle cave caviar cedar celery cellar cello cereal chain chair chalk chamber champion chapel chariot
charm chart cheese cheetah cherry chess chest chestnut chicken chief chime chimney chin chisel chive choir church
cider cinema cinnamon circle circus citrus city clam clarinet clay clerk cliff clinic clock cloud clover coach coal
coast coat cobalt cobra cobweb cocoa cocoon coffee coin collar colony colt comb comedy comet compass concert condor
cookie copper coral cord cork corn corner corral cottage cotton couch cougar count cousin cover cow coyote crab
cracker cradle crane crate crater crayon cream creek cricket crimson crocus crouton crow crown crystal cube cuckoo cup
curtain cushion cycle cymbal cypress dagger dahlia dairy daisy dance dancer dawn deacon decade deer delta denim
dentist desert desk dew diamond diary dice diesel diner dingo disco diver dock doctor dog dolphin domino donkey door
dove dragon dragonfly drain drama dream dress drift driver drum duchess duck dugout dune dust eagle ear earth easel
east echo eclipse editor eel egg elbow elder elephant elk elm ember emerald emu engine envelope equator ermine estate
evening evergreen fable fabric fairy falcon family farm fawn feast feather fence fennel fern ferret ferry festival
fiddle field fiesta fig figure filter finch finger fire fish flag flame flamingo flannel flask flax fleece fleet
flicker flint flock flood floor flour flower flute foam fog forest fork fort fossil fountain fox frame fresco friend
frog frost fruit fudge funnel gable gadget galaxy gallery gallop garage garden garlic garnet gate gazelle gecko geyser
ghost giant ginger ginkgo giraffe glacier glass globe glove goat goblet gold golf goose gopher gourd grain granite
grape graph grass gravel gravy green griffin grotto grove guava guest guitar gulf gull gypsum habit hail hall hammer
hammock hamster hand harbor hare harness harp harvest hat haven hawk hay hazel hearth heather hedge helmet hen herb
hermit hero heron hickory hill hinge hobby hockey hollow holly honey hoof horizon horn hornet horse hotel house hunter
hut hydrant hymn ice icicle idol igloo impala inch indigo infant ink inn insect iris iron ironwood island ivory ivy
jackal jacket jade jaguar jam jar jasmine jelly jewel jigsaw jockey joker journal jubilee judge juice jumper jungle
juniper jury kayak kernel kestrel kettle key kidney kimono king kiosk kitchen kite kitten kiwi knee knight knot koala
label lace ladder lady lagoon lake lamb lamp lantern lark lasso laurel lava lavender lawn leaf leather ledge legend
lemon lemur lens lentil leopard letter level lever library lichen lilac lily lime linden linen lion lizard llama
lobster lock locket locust log lotus lullaby lumber lunch lupine lynx lyre magnet magpie maple marble march margin
marsh mask mast match meadow medal melon meteor mill mint mirror mist mitten moat mole monkey moon moose morning
mosaic moss moth motor mountain mouse mule museum music mustard nail napkin navy nectar needle nephew nest net nettle
newt night noodle north nose notebook nugget nurse nut nutmeg oak oar oasis oat ocean octopus office oil olive onion
opal opera orange orbit orchard orchid organ otter oven owl oyster paddle page paint palace palm panda panel pansy
paper parade parcel park parrot parsley pasta path peach peacock peanut pear pearl pebble pelican pencil pepper petal
piano pickle picnic pigeon pilot pine pink pipe pirate plain planet plank plate plaza plough plum pocket poem polar
pond pony poplar poppy porch port post pot potato powder prairie prince prism puddle puma pumpkin pupil purple puzzle
python quail quarry quartz queen quill quilt quiver rabbit radar radio radish raft rail rain raisin ranch raven razor
recipe reed reef reindeer ribbon rice riddle rider ridge ring ripple river road robe robin rocket roof room root rope
rose ruby rudder rug ruler sable saddle saffron sage sail salad salmon salt sand sandal satin sauce saucer scale scarf
school scout screen seal season seed shadow shark shed sheep shelf shell shepherd shield ship shirt shoe shore shovel
shower silk silver singer sister skate sketch ski sky slate sled sleeve slipper slope snail snow soap sock sofa soil
soldier sonnet soup south spade spark sparrow spear spice spider spinach spiral sponge spoon spring spruce squid
stable stage stairs stamp star statue steam steel stem stone stool stork storm stove straw stream street string sugar
suitcase summer sun sunset swallow swamp swan sweater swift sword symbol syrup table tailor talon tango tartan tea
teapot temple tempo tennis tent thimble thistle thorn thread throne thumb thunder tide tiger tile timber tin toast
tomato torch tortoise towel tower town toy tractor trail train tray treasure tree trellis triangle trophy trout truck
trumpet trunk tulip tundra tunnel turkey turnip turtle tweed twig twilight umber umbrella uncle unicorn valley vanilla
vase vault velvet verse vessel vest village vine vinegar violet violin visor vivid volcano voyage wafer wagon waiter
wall walnut walrus wander warm wasp water wave wax weasel weaver wedge well west whale wheat wheel whisker whistle
wick widow willow window wing winter wizard wolf woodland wool world wreath wren wrist yacht yard yarn year yeast
yellow yew yoke zebra zephyr zigzag zinc zipper zodiac
"""

WORDS = tuple(_TEXT.split())
"""1,024 words that are easy to say and to tell apart."""

//! Ordinary English words, which are not names even when they begin a sentence.

use std::{collections::HashSet, sync::LazyLock};

use crate::words::is_stop_word;

/// Compiled by hand. Words that are also given names ("rose", "grace", "mark", "faith") are left out on purpose.
const WORDS: &str = "
able above according across act actually add afraid again against age ages ago agree agreed ahead air alas alive almost
alone along already alright although altogether always amid among ancient anger angry animal animals annual another
answer answers anybody anyone anything anyway anywhere apart apparently appearance approximately archers armies armour
armor arms army around arrows art artists ash ashes aside ask asked asking at attack attacks aunt autumn avoid away
awful awkward back background backstory bad bags barely bards based basically basic battle battles beards bears beasts
beautiful beauty because become becomes bed beer beggars begin beginning behind being belief beliefs believe bells below
beneath beside besides best better between beyond big bigger biggest bird birds birth birthday black blacksmiths blades
bless blessed blind blood blue boats body bodies bold bones book books border borders born both bows boy boys branches
bread break breathe bridge bridges brief briefly bright bring broken brother brothers brown build building buildings
built burial burn burned burning business busy buy buying call called calm came camp candles cannot canon captain
captains care careful carefully carriages carry cast castle castles cats cattle caution cave caves central centuries
century ceremonies certain certainly chapter character characters chief child childhood children choose citizens city
cities civil clan clans class classes clean clear clearly clever climate close clothes clothing clouds coast coastal
coins cold colour color colours colors come comes coming commerce common commoners compare compared completely concept
consider considering continue cook cool copper corn corpses correct correction cost council councils count countless
countries country couple courage course court courts cousin cousins cover cowards craft creation creatures crew crime
criminals crops crowds crowned crowns cruel cult culture cultures currency currently curse cursed curses custom customs
cut daily damn danger dangerous dark darkness date dates daughter daughters dawn days day dead dear death deaths debt
decades decide decided decision decisions deep deeply deer definitely delete demons depending descendants describe
description deserts despite destroy details did died different difficult dinner disease distance distant divine dogs
done don't door doors doubt down draft dragon dragons draw dreams dress drink drinking drinks driven dry ducks due
during dusk dust duty dwarves dwarfs each earlier early earn earth east eastern easy eat eating economy edge education
effect eight eighteen eighty either elders elections eleven else elsewhere elves emperors empire empires empty end ended
ending enemies enemy english enough entire equal especially essentially even evening eventually ever every everybody
everyone everything everywhere evidence evil exactly example except exile exiles expect explain extra eyes eye face
faces fact faction factions fair fairly fall fallen false fame families family famous far farm farmers farming farms
fashion fast fat father fathers favourite favorite fear feasts fees feel feeling feelings fellow female festival
festivals few fields fierce fifteen fifth fifty fight fighters fighting final finally find fine fire fires first fish
fishermen fishing five fix flags fleet fleets floods floors flowers fly flying fog folk follow followed followers
following food foods for foreign foreigners forest forests forever forget forgive former formerly fortune forty
forward found founded four fourteen fourth free freedom frequently fresh friend friends frost full funny further
furthermore future games garden gardens gates gate general generally generations gentle geography get getting ghosts
giant giants gifts girl girls give given giving glad glass go goals goats god goddess gods going gold golden gone good
goods got government grain grand grandfather grandmother grass graves gray great greater greatest greed green grey grief
ground group groups grow growing guard guards guess guests guild guilds guilt habits hair half halfway hall halls hand
hands happen happened happily happy harbour harbor hard hardly harvest harvests hate he'd he'll he's head heads healers
healing health hear heard heart hearts heat heaven heavy height heirs held hell hello help hence here here's heroes
hey hidden high higher highest hill hills historians historical historically history hold holding holidays holy home
homes honestly honour horns horse horses hot hour hours house houses how's however huge human humans hundred hundreds
hungry hunters hunting husband husbands i'd i'll i'm i've ice idea ideas identity illness imagine immediately imperial
important imports indeed individuals industry information inhabitants initially inner inside insects instead
instructions interesting interestingly introduce iron island islands isn't it'd it'll it's items job jobs join journey
judges judging just justice keep keeping kept key keys kids kill killed killing kind kindly king kingdom kingdoms kings
knights know knowing knowledge known lack ladies lake lakes lamps land landmarks lands language languages large largely
last lastly late lately later latest laughing laughter law laws lay leader leaders leadership learn learned least leather
leave leaves leaving led left legend legends length less let let's letters level lies life lifespan light lightning like
likely likewise limited line lines list listen literature little lives living local locals location locations long
longer look looking looks lord lords lose loses losing loss lost lots loud love loved lovely lovers low lower loyal
loyalty luck luckily lunch machines mad made magic magical mages mainly make makes making male man many map maps market
markets married marriage marriages masks massive masters material matters maybe meals mean meaning means meanwhile meat
medicine meet meeting members memories memory men merchants merely metal middle midnight midsummer midwinter might
military milk million mind minor minutes mirrors miss missing mist modern moment moments money monks monsters month
months mood moon moons more moreover morning mortal mortals most mostly mother mothers motivation mountain mountains
mouth move moving mud murder music musicians must myself mysterious myth myths name named names narrow nation nations
nature native natives naturally near nearby nearly necessary need needless needs neighbours neighbors neither never
nevertheless new news next nice night nights nine nineteen ninety no nobility noble nobles nobody none nonetheless noon
nor normal normally north northern nose not note notes nothing notice now nowadays nowhere number numbers oak oaths
obviously occasionally ocean oceans odd of off officers officially often oh oil okay ok old older oldest once one ones
only open opening opposite orcs orders ordinary origin original originally origins orphans other others otherwise
ours out outer outside over overall own owners pain paint pale palace paper parents part particularly parts party past
path peace peasants people peoples perfect perhaps period person personal personality physical pick picture pigs
pilgrims pirates place places plague plan planets plans plants play players please plenty plot poison poisonous police
political politically politics poor popular population port ports position possible possibly poverty power powerful
powers practically prayer prayers prefer preferably pregnant presumably pretty previously price prices pride priest
priestess priests prince princes princess princesses prison prisoners privately probably problem problems property
prophecies prophecy proud provided public pull punishment pure purple push put queen queens question questions quick
quickly quiet quietly quite race races rain raised rare rarely rather ravens read ready real reality really reason
reasons rebels recall recently red refugees regarding region regions regularly relations relationship relationships
religion religions religious remember remove replace reportedly reports resources rest result results return revenge
rewrite rich rich right rights rings rising ritual rituals river rivers road roads rocks role roles roof room rooms
roots roughly round royal royalty ruins rule ruler rulers rules rumour rumor rumours rumors run running runs sacred
sad sadly safe said sailors salt same sand saw say saying says scale scars scene scenes scholars school schools
science scratch scribes sea seas season seasons seat second secondly secret secretly secrets section see seeing seek
seems seen seldom send separate series serious servants set setting settlers seven seventeen seventy several shadow
shadows shall shape shared sharp she'd she'll she's sheep ships ship shoes shops short shortly show shut sick side
signs silence silent silk silver similar similarly simple simply since sing singing single sister sisters six sixteen
sixty size skin sky slaves sleep slow slowly small smaller smart smiths smoke snakes snow social society soft soil
sold soldiers solid somebody somehow someone something sometimes somewhere son song songs sons soon sorry sort souls
sound source sources south southern speak speaking special specifically speech spells spend spirits spring stand
standing stars start started starting state statues stay steel step still stone stones stop stories storms story
strange strangely strangers street streets strength strictly strong students style such sudden suddenly suffering
suggest summary summer sun sunlight sunset suppose supposedly sure surely surprisingly survivors sweet swords sword
symbols take taken taking tales talk talking tall taste taverns tax taxes tea teachers teeth tell telling temple
temples ten tend terrible territory than thank thanks that'd that'll that's theirs themselves therefore there'd
there'll there's they'd they'll they're they've thick thieves thin thing things think thinking third thirteen thirty
though thousand thousands three throne through throughout thus tides till timber time times tiny tired title titles
today together tombs tomorrow tongues tonight too took tools top torches total totally touch towards toward towers tower
town towns trade traders tradition traditional traditionally traditions train training traitors travel travellers
travelers treason treasure treaties trees tree tribes tribe tribute trolls troops trouble true truly trust truth try
trying turn turns twelve twenty twice twins two type typically ugly ultimately uncle uncles under understand
understood unfortunately unless unlike until unusual up update upon upper us use used useful using usually valleys
vampires various vast very victims victory village villagers villages violence visitors voice volcanoes volume wages
wait waiting wake walk walking walls wall want wanted war warm warning warriors wars was wasn't watch water waters way
ways we'd we'll we're we've weak wealth wealthy weapon weapons wear wearing weather weddings week weeks weight
weird welcome well were weren't west western wet what's whatever wheat whenever where's whereas wherever whether
whichever white whoever whole who's why wide widows wife wild wilderness wind winds windows wine winged wings winners
winter wisdom wise wish witches within without wives wizard wizards wolf wolves woman women won't wonder wood wooden
woods wool word words work workers working works world worlds worry worse worship worst worth would wounded wounds
write writers writing written wrong yeah year years yellow yes yesterday yet yield you'd you'll you're you've young
younger youngest youth zero
adds agrees aims allows asks avoids believes brings calls collects composes considers creates dislike dislikes draws
drafts edits enjoy enjoys expects favours favors feels finds focuses gets gives goes grew grows has hates helps hopes
intends invents keeps knows lacks leads learns likes listens lives loves makes means monthly needs outlines owns pays
plots prefers publishes reads refers rejects requests requires reviews says seeks sends spelling spells starts studies
takes tends thinks tries types uses values wants wishes worldbuilder worldbuilding writes yearly weekly author authors user
users narrator narration dialogue dialogues prose chapters format formatting tone replies reply responses sentences
paragraphs feedback session sessions style agent assistant
";

/// Function words of other languages that often begin a sentence.
const FOREIGN: &[&str] = &[
    "aber", "am", "auf", "das", "der", "die", "dies", "diese", "dieser", "ein", "eine", "er", "es", "ich",
    "ihr", "ihre", "im", "mit", "nach", "nicht", "sein", "seine", "sie", "und", "von", "wenn", "wer", "wir",
    "zu", "el", "ella", "en", "esta", "la", "las", "los", "su", "un", "una", "elle", "il", "ils", "je", "le",
    "les", "nous", "une", "в", "и", "на", "но", "он", "она", "они", "это", "я",
];

/// True for a word (folded) that is not a name, even with a capital at the start of a sentence.
pub(crate) fn is_ordinary(word: &str) -> bool {
    static ORDINARY: LazyLock<HashSet<&str>> = LazyLock::new(|| WORDS.split_ascii_whitespace().collect());
    ORDINARY.contains(word)
        || FOREIGN.contains(&word)
        || is_stop_word(word)
        || word.chars().all(|c| !c.is_alphabetic())
}

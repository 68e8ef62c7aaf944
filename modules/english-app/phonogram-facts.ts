/** What every school teaches of the 48 phonograms: spellings, examples, how the mouth stands. Pure. */
import { SOUNDS, type SoundKind } from './ipa.ts'

/** Symbol: spellings: examples: how it is said. */
const FACTS = `iː|ee ea e|bee tea he|嘴角向两侧拉开，舌尖抵下齿，声音拉长
ɪ|i y e|pig city big|嘴唇微张，舌前部稍抬起，短促有力
e|e ea|bed pen head|嘴张开约一指宽，舌尖抵下齿
æ|a|cat bag map|嘴张大到能放两指，嘴角向两侧拉
ɜː|er ir ur or|bird girl nurse|舌中部抬起，双唇自然张开，声音拉长
ə|er or a|teacher doctor about|嘴唇自然微张，放松短促，只出现在不重读音节
ʌ|u o|cup bus son|嘴半开，舌中部稍抬，短促有力
ɑː|ar a|car park father|嘴张大，舌后部放低，声音拉长
ɒ|o a|dog box watch|嘴张圆，双唇稍收，短促
ɔː|or aw al au|door ball draw|双唇收圆向前突出，声音拉长
ʊ|oo u|book foot put|双唇收圆稍向前，短促
uː|oo u ue|moon blue zoo|双唇收成小圆，向前突出，声音拉长
eɪ|a-e ai ay|cake rain day|由 e 滑向 ɪ，前重后轻
aɪ|i-e y igh|bike fly night|嘴由大张滑向微张，前重后轻
ɔɪ|oi oy|boy toy coin|由圆唇滑向扁唇
aʊ|ow ou|cow mouth house|由大张滑向收圆
əʊ|o-e oa ow|nose boat snow|由放松滑向收圆
ɪə|ear eer|ear hear deer|由 ɪ 滑向 ə
eə|air ear are|hair bear chair|由 e 滑向 ə
ʊə|oor ure|poor sure tour|由 ʊ 滑向 ə
p|p pp|pen apple map|双唇紧闭后突然放开，声带不振动
t|t tt|tea table cat|舌尖抵上齿龈后突然放开，声带不振动
k|k c ck|kite cat duck|舌后部抵软腭后突然放开，声带不振动
f|f ph|fish face elephant|上齿轻触下唇，气流摩擦而出
θ|th|three mouth thank|舌尖轻放上下齿之间，送气，声带不振动
s|s c ss|sun city class|舌端靠近上齿龈，气流摩擦而出
ʃ|sh|ship fish shoe|双唇稍突出，舌端抬向上齿龈后部
tʃ|ch tch|chair watch teacher|先阻塞后摩擦，声带不振动
tr|tr|tree train trousers|舌尖抵上齿龈后部，双唇收圆
ts|ts|cats boats hats|舌尖抵上齿龈，阻塞后摩擦
h|h|hat hand home|嘴自然张开，气流从声门呼出
b|b bb|bag baby rabbit|双唇紧闭后突然放开，声带振动
d|d dd|dog desk bed|舌尖抵上齿龈后突然放开，声带振动
ɡ|g gg|girl egg bag|舌后部抵软腭后突然放开，声带振动
v|v|vest seven five|上齿轻触下唇，声带振动
ð|th|this mother father|舌尖轻放上下齿之间，声带振动
z|z s|zoo nose zebra|舌端靠近上齿龈，声带振动
ʒ|s|usually television treasure|双唇稍突出，声带振动
dʒ|j g dge|jam orange juice|先阻塞后摩擦，声带振动
dr|dr|dress drink draw|舌尖抵上齿龈后部，双唇收圆，声带振动
dz|ds|hands beds birds|舌尖抵上齿龈，阻塞后摩擦，声带振动
m|m mm|mum map summer|双唇紧闭，气流从鼻腔出
n|n nn|nose pen nine|舌尖抵上齿龈，气流从鼻腔出
ŋ|ng n|sing long pink|舌后部抵软腭，气流从鼻腔出
l|l ll|leg ball milk|舌尖抵上齿龈，气流从舌两侧出
r|r wr|red rabbit write|舌尖卷向上齿龈后部，双唇稍圆
w|w wh|water window white|双唇收小圆突出，随即放开
j|y|yes yellow young|舌前部抬向硬腭，随即滑向后面的元音`

/** Words that differ by one sound alone. */
const PAIRS = `iː ɪ sheep ship|iː ɪ seat sit|iː ɪ feet fit|e æ bed bad|e æ pen pan|e æ men man|æ ʌ cat cut|æ ʌ bag bug|ʌ ɑː cut cart|ʌ ɑː duck dark|ɒ ɔː pot port|ɒ ɔː shot short|ʊ uː full fool|ʊ uː pull pool|ɜː ɔː bird board|ɜː ɔː work walk|e eɪ pen pain|eɪ aɪ late light|eɪ aɪ day die|ɪ e pig peg|ɪ e sit set|ɔɪ aɪ toy tie|aʊ əʊ now no|əʊ ɔː boat bought|ɪə eə ear air|ɪə eə here hair|ʊə ɪə tour tear
p b pig big|p b pen Ben|t d tie die|t d bat bad|k ɡ coat goat|k ɡ back bag|f v fan van|f v leaf leave|θ s think sink|θ s mouth mouse|ð d they day|ð z breathe breeze|s z sip zip|s z price prize|s ʃ see she|s ʃ sip ship|ʃ tʃ ship chip|ʃ tʃ shoes choose|tʃ dʒ chin gin|tʃ dʒ rich ridge|tʃ tr chip trip|dʒ dr jaw draw|tr dr train drain|tr dr try dry|ts dz seats seeds|m n map nap|m n some sun|n ŋ sin sing|n ŋ thin thing|l r light right|l r lead read|w v wet vet|w v west vest|h f hat fat|h f hair fair|j dʒ yet jet|ʒ dʒ leisure ledger|r w red wed`
  .split(/[|\n]/).map((line) => line.split(' '))

export interface PhonogramFacts {
  readonly symbol: string
  readonly kind: SoundKind
  readonly letters: readonly string[]
  readonly examples: readonly string[]
  readonly pairs: readonly { readonly word: string; readonly other: string; readonly sound: string }[]
  readonly tips: string
}

const known = new Map(FACTS.split('\n').map((line) => [line.split('|')[0] ?? '', line.split('|')]))

/** The 48 phonograms as they come with the product. */
export const PHONOGRAMS: readonly PhonogramFacts[] = SOUNDS.map(([symbol, kind]) => {
  const [, letters = '', examples = '', tips = ''] = known.get(symbol) ?? []
  const pairs = PAIRS.flatMap(([one = '', other = '', word = '', second = '']) => (one === symbol ? [{ word, other: second, sound: other }] : other === symbol ? [{ word: second, other: word, sound: one }] : []))
  return { symbol, kind, letters: letters.split(' '), examples: examples.split(' '), pairs, tips }
})

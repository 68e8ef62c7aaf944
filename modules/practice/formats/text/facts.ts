/** What is said about a question in words: its points, paper, year, region, type, difficulty. */
import type { QuestionFacts, QuestionType } from '../../content/question.ts'
import { difficultyOf as ofCoef } from '../../content/question-rules.ts'
import { EXAM_REGIONS } from '../../../reference/module.ts'

const NATIONAL = ['全国Ⅰ卷', '全国Ⅱ卷', '全国Ⅲ卷']
const PROVINCES = EXAM_REGIONS.filter((region) => region.kind === 'province')
/** In the order of EXAM_REGIONS. */
const PINYIN = 'beijing tianjin hebei shanxi neimenggu liaoning jilin heilongjiang shanghai jiangsu zhejiang anhui fujian jiangxi shandong henan hubei hunan guangdong guangxi hainan chongqing sichuan guizhou yunnan xizang shaanxi gansu qinghai ningxia xinjiang taiwan xianggang aomen'.split(' ')
/** Papers of the country are numbered in every way. 全国甲卷, 乙卷 and 新高考Ⅰ, Ⅱ are papers of their own, which the list of regions does not have. */
const NUMBERS: readonly (readonly [RegExp, number])[] = [[/iii|3|三/, 2], [/ii|2|二/, 1], [/i|1|一/, 0]]

const ROMAN: Readonly<Record<string, string>> = { 'Ⅰ': 'I', 'Ⅱ': 'II', 'Ⅲ': 'III', 'ⅰ': 'I', 'ⅱ': 'II', 'ⅲ': 'III', 'Ｉ': 'I', 'Ｌ': 'I' }

/**
 * The region of a paper, however it is written: 新课标ⅱ, 全国卷Ⅱ, （2022·浙江卷）, Beijing, 110000.
 * @returns one of the 37 names, or null
 */
export function regionOf(source: string): string | null {
  const text = source.replace(/[Ⅰ-Ⅲⅰ-ⅲＩＬ]/g, (char) => ROMAN[char] ?? char).normalize('NFKC').toLowerCase().replace(/[\s·•.。,，、（）()【】[\]〔〕《》“”"'_-]+/g, '')
  if (text === '') return null
  const code = /^(\d{2})(?:0000)?$/.exec(text)?.[1]
  if (code) return PROVINCES.find((region) => region.code === code)?.name ?? null
  // A province names itself even in "全国卷 (浙江)"; a national paper is told by its number alone.
  const national = /(?:新?课标|全国|课改|国卷|大纲)(?:全国|统一|理综|文综|课标|大纲|版|卷|高考)*(iii|ii|i|[123]|[一二三](?!中|模|诊|轮|检|次))/.exec(text)
  const number = /新高考|[甲乙丙](?:卷|$)/.test(text) ? undefined : (/^(?:20\d\d年?)?(iii|ii|i)卷$/.exec(text)?.[1] ?? national?.[1])
  if (number) return NATIONAL[NUMBERS.find(([pattern]) => pattern.test(number))?.[1] ?? 0] ?? null
  const province = PROVINCES.find((region) => text.includes(region.name))
  if (province) return province.name
  const latin = PINYIN.findIndex((name) => text === name || text.startsWith(`${name}卷`) || text === `${name}province` || text === `${name}paper`)
  if (latin >= 0) return PROVINCES[latin]?.name ?? null
  return null
}

/** Years of papers that are named in a text, each once. */
export function yearsOf(source: string): number[] {
  const found = [...source.matchAll(/(?<!\d)((?:19[5-9]|20[0-4])\d)(?!\d)/g)].map((match) => Number(match[1]))
  return [...new Set(found)]
}

const POINTS = /[（(〔[【]\s*(?:本小?题\s*)?(?:满分\s*|共\s*|计\s*)?(\d{1,3}(?:\.\d)?)\s*分\s*[)）〕\]】]/

/** Points in brackets: （5分）, (本小题满分12分). */
export function pointsIn(text: string): { points: number; at: number; length: number } | null {
  const match = POINTS.exec(text)
  return match ? { points: Number(match[1]), at: match.index, length: match[0].length } : null
}

export interface SourceTag {
  length: number
  facts: Partial<QuestionFacts>
}

const EXAM = /高考|卷|真题|模拟|一模|二模|三模|期中|期末|月考|联考|统考|竞赛|中考|会考|学考|开学|调研|质检|诊断|春|秋|年级|校|全国|课标|中学|附中|检测|必刷|·|•|\s/

/** The paper that stands in brackets before a question: （2022·全国乙卷·理·5）, 【2021年高考浙江卷】. */
export function sourceTag(text: string): SourceTag | null {
  const match = /^\s*(?:[（(]([^（）()]{4,60})[)）]|[【[［]([^【】[\]［］]{4,60})[】\]］]|〔([^〔〕]{4,60})〕)\s*/.exec(text)
  const inside = (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim()
  if (!match || !/^(?:改编自?|节选自?|选自|原创)?\s*(?:19|20)\d\d/.test(inside) || !EXAM.test(inside)) return null
  return { length: match[0].length, facts: paperFacts(inside) }
}

/** What the name of a paper says. */
export function paperFacts(name: string): Partial<QuestionFacts> {
  const order = /(?:第\s*|T\s*|[·•,，\s]\s*)(\d{1,2})\s*(?:题)?\s*$/.exec(name)?.[1]
  const read = regionOf(name.replace(/(?:19|20)\d\d/g, ''))
  // Since 2021 the papers of the country have other names; 新课标Ⅰ is 新高考Ⅰ then.
  const region = read && NATIONAL.includes(read) && yearsOf(name).some((year) => year >= 2021) ? null : read
  return {
    source_paper: name.trim().slice(0, 100),
    source_years: yearsOf(name),
    ...(region ? { exam_region: region } : {}),
    ...(order ? { source_order: Number(order) } : {}),
    ...(/新高考/.test(name) ? { gaokao_type: 1 } : {}),
    ...(/高考|课标|全国卷?[甲乙丙ⅠⅡⅢI123一二三]/.test(name) && !/模拟|仿真|预测|押题|[一二三]模|期中|期末|月考|联考|质检|调研|竞赛|联赛|奥林匹克/.test(name) ? { source: 'college_entrance_exam_paper' } : {}),
  }
}

export interface Kind {
  type: QuestionType
  category: string
}

/** Names of types in Chinese and in the words of other systems, the longer ones first. */
const KINDS: readonly (readonly [RegExp, QuestionType, string])[] = [
  [/不定项|(?:多|双)选|多项选择|multi(?:ple)?[\s_-]*(?:answer|response|select|choices?\b.*(?:many|all))|multichoice_many|checkbox|multiple_select|msq/i, 2, '多选题'],
  [/判断|判一判|是非|正误|true[\s_-]*(?:or[\s_-]*)?false|judge(?:ment)?|boolean|\btf\b|yes[\s_-]?no/i, 1, '判断题'],
  [/完形|完型|cloze[\s_-]*(?:test|mcq)?|banked|七选五|五选四|六选五|选词填空|语法填空|短文填空|补全(?:对话|短文)|短文还原|任务型完形/i, 5, ''],
  [/阅读理解|阅读|reading|材料题|综合阅读|现代文|文言文|听力|listening|passage|comprehension|组合题|题组/i, 6, ''],
  [/单选|单项选择|选择题|选一选|single|multiple[\s_-]*choice|multichoice|\bmcqs?\b|radio|choice|选择/i, 1, '单选题'],
  [/填空|填一填|单词拼写|默写|fill|blank|short[\s_-]*answer|numerical|填充/i, 3, '填空题'],
  [/解答|解决问题|算一算|计算|证明|简答|问答|论述|实验|作图|主观|非选择|综合|应用|作文|书面表达|写作|翻译|改错|open|essay|subjective|free|proof|calculation|analysis|探究|分析|说明|名词解释|材料分析/i, 4, '解答题'],
]

const NUMBERED: Readonly<Record<string, Kind>> = { 1: { type: 1, category: '单选题' }, 2: { type: 2, category: '多选题' }, 3: { type: 3, category: '填空题' }, 4: { type: 4, category: '解答题' }, 5: { type: 5, category: '' }, 6: { type: 6, category: '' } }

/** The type that a name of a kind of question stands for; the name itself is kept as the category when it is Chinese. */
export function kindOf(name: string): Kind | null {
  const trimmed = name.trim()
  if (NUMBERED[trimmed]) return NUMBERED[trimmed]
  const found = KINDS.find(([pattern]) => pattern.test(trimmed))
  if (!found) return null
  const chinese = /^[\u4e00-\u9fff]{2,12}$/.test(trimmed) ? trimmed : ''
  const usual = /^(?:单项?选择?题?|选择题?)$/.test(chinese) ? '单选题' : /^(?:多项?选择?题?)$/.test(chinese) ? '多选题' : /不定项/.test(trimmed) ? '不定项选择题' : chinese ? (chinese.endsWith('题') || !/^(?:填空|判断|解答|计算|实验|简答|证明|作图)$/.test(chinese) ? chinese : `${chinese}题`) : found[2]
  return { type: found[1], category: usual }
}

const KIND_TAG = /^\s*(?:【\s*([^【】\n]{2,10}题|[单多]选|判断|填空|简答|不定项)\s*】|[（(]\s*((?:单项选择|多项选择|不定项选择|单选|多选|判断|填空|简答|解答|计算)题?|不定项)\s*[)）]|\[\s*([单多]选题?|判断题?|填空题?|简答题?|不定项(?:选择题)?)\s*\])\s*/

/** The kind of question that is written before it: 【单选题】, （多选）. */
export function kindTag(text: string): { kind: Kind | null; length: number } | null {
  const match = KIND_TAG.exec(text)
  const name = match?.[1] ?? match?.[2] ?? match?.[3]
  return match && name !== undefined ? { kind: kindOf(name), length: match[0].length } : null
}

const WORDS: readonly (readonly [RegExp, number])[] = [
  [/较易|较简单|偏易|比较?容易|relatively easy/i, 4], [/较难|偏难|比较难|hard(?:er)?\+|relatively (?:hard|difficult)/i, 2], [/容易|简单|基础|^易|easy|simple/i, 5], [/适中|中等|一般|中档|^中|medium|moderate|normal/i, 3], [/困难|很难|^难|压轴|拔高|hard|difficult|challenging/i, 1],
]

/**
 * Difficulty in words, stars, or as the share of points that is reached.
 * @param risesWithNumber whether a whole number grows with difficulty, as it does in other banks; ours falls
 */
export function difficultyIn(source: string, risesWithNumber = false): { difficulty: number; coef: number | null } | null {
  const text = source.trim()
  const stars = text.match(/[★⭐✦]/g)?.length
  if (stars && stars <= 5) return { difficulty: 6 - stars, coef: null }
  const number = /^[（(]?\s*(\d(?:\.\d+)?)\s*[)）]?$/.exec(text.normalize('NFKC').replace(/^(?:难度系数|难度|系数)[:：]?\s*/, ''))?.[1]
  if (number) {
    const value = Number(number)
    if (number.includes('.') && value > 0 && value < 1) return { difficulty: ofCoef(value), coef: value }
    if (Number.isInteger(value) && value >= 1 && value <= 5) return { difficulty: risesWithNumber ? 6 - value : value, coef: null }
    return null
  }
  const inside = /(\d\.\d+)/.exec(text)?.[1]
  const word = WORDS.find(([pattern]) => pattern.test(text))?.[1]
  if (inside && Number(inside) < 1) return { difficulty: ofCoef(Number(inside)), coef: Number(inside) }
  return word ? { difficulty: word, coef: null } : null
}

const SUBJECTS: readonly (readonly [RegExp, string])[] = [
  [/数学|math/i, '数学'], [/语文|chinese(?!.*english)/i, '语文'], [/英语|english/i, '英语'], [/物理|physics?/i, '物理'], [/化学|chemistry/i, '化学'], [/生物|biology/i, '生物'], [/地理|geography/i, '地理'], [/历史|history/i, '历史'], [/政治|道德与法治|思想品德|politic/i, '政治'], [/科学|science/i, '科学'],
]

/** The subject that a file or a field names. */
export function subjectIn(text: string): string | null {
  return SUBJECTS.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

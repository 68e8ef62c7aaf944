/** What titles in brackets say of a question: 【答案】, 解析：, 【难度】. */
import type { Analysis } from '../../content/question.ts'
import { splitLabels } from '../labels.ts'
import { difficultyIn, paperFacts } from '../text/facts.ts'
import { cut, flat, isBlank, trim, type Flow, type Token } from '../text/flow.ts'
import type { Raw } from '../text/raw.ts'

const NAMES = '答案解析|试题解析|名师点睛|答案|解析|解答|详解|分析|思路|点评|点睛|易错|难度系数|难度|分数|分值|知识点|考点|标签|题型|来源|出处|年份'
/** Behind these words a colon or a space begins what they announce, at the beginning of a line. */
const PLAIN = '答案|解析|详解|难度|知识点|考点|分值|题型'
const TAG = new RegExp([
  `[【[〖]\\s*(?:参考|正确|标准|本题)?(?<boxed>${NAMES}|小问\\s*\\d{1,2}\\s*(?:详解|解析|答案))\\s*[】\\]〗]\\s*[:：]?`,
  `(?<=^|\\n)[ \\t\\u3000]*(?:参考|正确|标准|本题)?(?<plain>${PLAIN})\\s*[:：]`,
  `(?<=^|\\n)[ \\t\\u3000]*(?:参考|正确|标准|本题)?(?<spaced>答案|解析)[ \\t\\u3000]+(?=\\S)`,
  // Marks of a learner stand beside the key: 我的答案：B 正确答案：A 得分：0.
  `(?<=[\\s\\u3000；;，,。])(?:正确|参考|标准)(?<inline>答案)\\s*[:：]`,
  // B 解析：… on one line.
  `(?<=[\\s\\u3000；;，,。.．A-H√×])(?<why>解析)\\s*[:：]`,
  `(?<=^|[\\s\\u3000；;，,。])(?<foreign>(?:我的|学生|你的|考生)答案|得分|答题时间)\\s*[:：]`,
  `(?<=^|\\n)[ \\t\\u3000]*(?<english>answer|key)\\s*[:：]`,
].join('|'), 'gi')
/** An answer that is spoken: 答：B. In a solution it is the last sentence instead. */
const SPOKEN = /(?<=\n)[ \t\u3000]*答\s*[:：][ \t\u3000]*(?=[^\s_＿])/

/** What tags are read under. */
const SAME: Readonly<Record<string, string>> = { 答案解析: '解析', 试题解析: '解析', 名师点睛: '点睛' }

export type Tagged = { [name: string]: Token[] }

interface Tag {
  name: string
  at: number
  end: number
  /** Part of the question that it explains. */
  part?: number
}

function tagsOf(text: string): Tag[] {
  return [...text.matchAll(TAG)].flatMap((match): Tag[] => {
    const { boxed, plain, spaced, inline, why, foreign, english } = match.groups ?? {}
    const part = /^小问\s*(\d+)/.exec(boxed ?? '')?.[1]
    const word = part ? (boxed?.replace(/^小问\s*\d+\s*/, '') ?? '') : (boxed ?? plain ?? spaced ?? inline ?? why ?? (english ? '答案' : ''))
    return [{ name: foreign ? '' : (SAME[word] ?? word), at: match.index, end: match.index + match[0].length, ...(part ? { part: Number(part) } : {}) }]
  })
}

/**
 * What tags say, the text before the first of them, and how often they begin an answer.
 * @param spoken whether 答： may begin the answer
 */
export function tagsIn(flow: Flow, spoken = false): { text: Token[]; tags: Tagged; answered: number } {
  const text = flat(flow)
  const found = tagsOf(text)
  const said = spoken && !found.some((tag) => tag.name === '答案') ? SPOKEN.exec(text.slice(0, found[0]?.at)) : null
  if (said && !/\n\s*[解证]\s*[:：]/.test(text.slice(0, said.index))) found.unshift({ name: '答案', at: said.index, end: said.index + said[0].length })
  const tags: Tagged = {}
  for (const [index, tag] of found.entries()) {
    const content = trim(cut(flow, tag.end, found[index + 1]?.at ?? Infinity))
    if (tag.name === '' || (isBlank(content) && tags[tag.name])) continue
    const own: Token[] = tag.part ? [`（${tag.part}）`, ...content] : content
    tags[tag.name] = tags[tag.name] && !isBlank(tags[tag.name] ?? []) ? [...(tags[tag.name] ?? []), '\n', ...own] : own
  }
  return { text: trim(cut(flow, 0, found[0]?.at ?? Infinity)), tags, answered: found.filter((tag) => tag.name === '答案' && tag.part === undefined).length }
}

const PARTS: Readonly<Record<string, keyof Analysis>> = { 解析: 'solution', 解答: 'solution', 详解: 'solution', 分析: 'hint', 思路: 'hint', 点评: 'comment', 点睛: 'comment', 易错: 'pitfall' }

export type AnalysisFlows = NonNullable<Raw['analysis']>

/** Explanations that tags hold. */
export function analysisIn(tags: Tagged): AnalysisFlows {
  const parts: { [Part in keyof Analysis]?: Token[] } = {}
  for (const [name, content] of Object.entries(tags)) {
    const key = PARTS[name]
    if (key && !isBlank(content)) parts[key] = [...(parts[key] ? [...parts[key], '\n' as const] : []), ...content]
  }
  if (!parts.solution && parts.hint) {
    parts.solution = parts.hint
    delete parts.hint
  }
  return parts
}

/** Points, paper, labels and difficulty that tags state. */
export function factsIn(tags: Tagged): NonNullable<Raw['facts']> {
  const words = (name: string) => (tags[name] ? flat(tags[name]).trim() : '')
  const level = difficultyIn(words('难度') || words('难度系数'))
  const paper = words('来源') || words('出处')
  return {
    ...(paper ? paperFacts(paper) : {}),
    ...(level ? { difficulty: level.difficulty, coef: level.coef } : {}),
    labels: splitLabels([words('知识点') || words('考点') || words('标签')].filter(Boolean)),
  }
}

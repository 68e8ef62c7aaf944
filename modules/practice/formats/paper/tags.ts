/** What titles in brackets say of a question: 【答案】, 解析：, 【难度】. */
import type { Analysis } from '../../content/question.ts'
import { splitLabels } from '../labels.ts'
import { difficultyIn, paperFacts } from '../text/facts.ts'
import { cut, flat, isBlank, trim, type Flow, type Token } from '../text/flow.ts'
import type { Raw } from '../text/raw.ts'

const TAG = /[【[]\s*(?:参考|正确|标准)?(答案|解析|解答|详解|分析|思路|点评|点睛|易错|难度|难度系数|分数|分值|知识点|考点|标签|题型|来源|出处|年份)\s*[】\]]\s*[:：]?|(?<=^|\n)[ \t\u3000]*(?:参考|正确|标准)?(答案|解析|详解|难度|知识点|分值|题型)\s*[:：]/g

export type Tagged = { [name: string]: Token[] }

/** What tags say, the text before the first of them, and how often they begin an answer. */
export function tagsIn(flow: Flow): { text: Token[]; tags: Tagged; answered: number } {
  const text = flat(flow)
  const found = [...text.matchAll(TAG)]
  const tags: Tagged = {}
  for (const [index, match] of found.entries()) {
    const name = match[1] ?? match[2] ?? ''
    const content = trim(cut(flow, match.index + match[0].length, found[index + 1]?.index ?? Infinity))
    tags[name] = tags[name] ? [...tags[name], '\n', ...content] : content
  }
  return { text: trim(cut(flow, 0, found[0]?.index ?? Infinity)), tags, answered: found.filter((match) => (match[1] ?? match[2]) === '答案').length }
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

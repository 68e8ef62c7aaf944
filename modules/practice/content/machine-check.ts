/** What a machine sees wrong with a question before a person looks at it (domain 3.5, 机检). */
import { inlinesOf, plainText, walk, type RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { docsOf, type QuestionContent, type QuestionFacts } from './question.ts'
import { problemsOf, problemText } from './question-rules.ts'
import { rawTexIn } from './raw-tex.ts'
import { compileTex, texErrorText } from '../../../core/rich-text/tex-compile.ts'

export interface Finding {
  /** Where it is, as a person says it: 题干, 选项B, 第2小题详解. */
  place: string
  message: string
  /** An error stops publication, a hint does not. */
  level: 'error' | 'hint'
}

const BRACKETS: readonly (readonly [string, string])[] = [['（', '）'], ['(', ')'], ['【', '】'], ['《', '》'], ['“', '”'], ['[', ']']]

/** Brackets that are opened and not closed, or the other way round. Letters of lists such as "1)" have no partner and are left out. */
function brackets(text: string): string[] {
  const counted = text.replace(/(?<![\p{L}\d（(])[\dA-Za-z①-⑳]{1,3}[)）]/gu, '')
  const missing: string[] = []
  for (const [open, close] of BRACKETS) {
    const opened = counted.split(open).length - 1
    const closed = counted.split(close).length - 1
    // A half and a full one may make a pair.
    if (opened !== closed && !(open === '（' || open === '(')) missing.push(opened > closed ? close : open)
  }
  const round = (counted.match(/[（(]/g)?.length ?? 0) - (counted.match(/[）)]/g)?.length ?? 0)
  if (round !== 0) missing.push(round > 0 ? '）' : '（')
  return missing
}

/** Punctuation of the other width: a half comma between Chinese characters, full-width letters or digits. */
const WIDTHS: readonly (readonly [RegExp, string])[] = [
  [/[\u4e00-\u9fff]\s*[,;?!]\s*[\u4e00-\u9fff]/, '中文之间用了半角标点'],
  [/[Ａ-Ｚａ-ｚ０-９]/, '用了全角字母或数字'],
]

/** A text without its formulas: what is in them has rules of its own. */
function wordsOf(doc: RichDoc | null): string {
  const kept: string[] = []
  walk(doc, {
    block: () => kept.push('\n'),
    inline: (inline) => kept.push(typeof inline === 'string' ? inline : inline.t === 'text' ? inline.text : inline.t === 'paren' ? '（）' : '\uFFFC'),
  })
  return kept.join('')
}

function ofDoc(place: string, doc: RichDoc | null, banned: readonly string[]): Finding[] {
  const found: Finding[] = []
  const say = (message: string, level: Finding['level']) => found.push({ place, message, level })
  walk(doc, {
    block: (block) => {
      const error = block.t === 'math' ? compileTex(block.tex) : null
      if (error) say(`公式有误：${texErrorText(error)}`, 'error')
    },
    inline: (inline) => {
      const error = typeof inline !== 'string' && inline.t === 'tex' ? compileTex(inline.tex) : null
      if (error) say(`公式有误：${texErrorText(error)}`, 'error')
    },
  })
  if (inlinesOf(doc, 'img').some((image) => image.pending)) say('有公式图片待补成公式', 'error')
  const words = wordsOf(doc)
  const code = rawTexIn(words)
  if (code) say(`「${code}」是公式代码，没有写成公式`, 'error')
  const missing = brackets(words)
  if (missing.length > 0) say(`括号不成对，缺少「${missing.join('')}」`, 'hint')
  for (const [pattern, message] of WIDTHS) if (pattern.test(words)) say(message, 'hint')
  const plain = plainText(doc)
  for (const word of banned) if (word && plain.includes(word)) say(`含有禁用词「${word}」`, 'error')
  return found
}

/** What must be known beside the content before a question is published (domain 1.19). */
function ofFacts(facts: Pick<QuestionFacts, 'difficulty'> & { labels: readonly unknown[] }): Finding[] {
  return [
    ...(facts.labels.length === 0 ? [{ place: '标签', message: '至少需要 1 个知识点标签', level: 'error' as const }] : []),
    ...(facts.difficulty === null ? [{ place: '难度', message: '请选择难度', level: 'error' as const }] : []),
  ]
}

/** Whether somebody has explained the answer, for the question or for each of its children. */
const isExplained = (content: QuestionContent): boolean =>
  content.analysis.solution !== null || content.analysis.hint !== null || (content.children.length > 0 && content.children.every((child) => child.analysis.solution !== null || child.analysis.hint !== null))

export interface CheckSetting {
  /** Words that no question may contain. */
  banned?: readonly string[]
  /** What is known beside the content; not looked at when absent. */
  facts?: Pick<QuestionFacts, 'difficulty'> & { labels: readonly unknown[] }
  /** Whether an explanation is asked for (domain 1.19: configurable). */
  needsAnalysis?: boolean
}

/** Everything that a machine finds, errors and hints, in reading order. Similar questions are found by their fingerprints. */
export function machineCheck(content: QuestionContent, { banned = [], facts, needsAnalysis = true }: CheckSetting = {}): Finding[] {
  return [
    ...problemsOf(content).map((problem): Finding => ({ place: PLACES[problem.part], message: problemText(problem), level: 'error' })),
    ...docsOf(content).flatMap(({ place, doc }) => ofDoc(place, doc, banned)),
    ...(needsAnalysis && !isExplained(content) ? [{ place: '解析', message: '没有解析', level: 'error' as const }] : []),
    ...(facts ? ofFacts(facts) : []),
  ]
}

const PLACES = { stem: '题干', options: '选项', answer: '答案', analysis: '解析', score: '分值', children: '小题', facts: '信息' } as const

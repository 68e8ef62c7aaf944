/** What looks wrong in a question that has been read: words that belong elsewhere, answers that cannot be its own. */
import type { Question, QuestionContent } from '../../content/question.ts'
import { docOf, inlinesOf, plainText } from '../../../../core/rich-text/rich-doc.ts'
import { uncertain, type Warning } from '../item.ts'
import { lettersOf } from '../text/answers.ts'
import type { Heading } from './headings.ts'

/** A line that gives an answer. Room to write behind the word is none. */
const ANSWER_LINE = /(?<=^|\n)[^\S\n]*(?:[【[](?:参考|正确|标准)?(?:答案|解析|详解)[】\]]|(?:参考|正确|标准|我的)?答案[^\S\n]*[:：](?=[^\S\n]*[^\s_＿（(])|(?:参考|标准)答案|答案[^\S\n]*(?=\n|$)|评分(?:标准|细则)|答[^\S\n]*[:：](?=[^\S\n]*[^\s_＿（(])|keys?[^\S\n]*[:：]|answers?[^\S\n]*[:：])|(?:正确|参考|标准)答案[^\S\n]*[:：]/i
/** The heading of a section or a volume. */
const SECTION_LINE = /\n[^\S\n]*(?:第\s*[ⅠⅡⅢ]\s*卷|[一二三四五六七八九十]{1,2}[、.．]|第[一二三四五六七八九](?:部分|节)|[Ⅱ-Ⅷ][.．、])/
/** Letters are asked for. */
const ASKS_LETTER = /(?:填|写|用)[^。；]{0,12}(?:字母|序号|代号|标号|编号|选项)/
/** Answers of other questions: a range, or lines that begin with their numbers. */
const OTHERS = /(?<=^|\n)[^\S\n]*\d{1,3}[^\S\n]*[-–—~～至][^\S\n]*\d{1,3}[^\S\n]*[.：:]?[^\S\n]*[A-H√×]|(?<=\n)[^\S\n]*[A-H]{2,}[^\S\n]*(?=\n|$)|^[^\S\n]*[A-H]{2,}[^\S\n]*(?=\n)/

const textsOf = (content: QuestionContent): string[] => [plainText(content.stem), ...content.options.map((option) => plainText(option.doc)), ...content.children.flatMap(textsOf)]
const short = (text: string) => (text.length > 24 ? `${text.slice(0, 24)}…` : text)

function answerText({ answer }: QuestionContent): string {
  if (answer.k === 'free') return answer.parts.map((part) => plainText(part.ref)).join('\n')
  return answer.k === 'blanks' ? answer.b.map((blank) => blank.accept.map(plainText).join('\n')).join('\n') : ''
}

function ofAnswer(content: QuestionContent): Warning[] {
  const found: Warning[] = []
  const text = answerText(content)
  if (OTHERS.test(text)) found.push(uncertain('answer', '答案里像是有其他题的答案', short(text)))
  if (SECTION_LINE.test(text)) found.push(uncertain('answer', '答案里像是有另一个大题的答案', short(text)))
  const stem = textsOf(content).join('\n')
  // A letter answers options; where there are none they were not found.
  if ((content.answer.k === 'free' || content.answer.k === 'blanks') && /^[A-Ha-h]{1,5}$/.test(text.trim()) && lettersOf(text) && !ASKS_LETTER.test(stem)) found.push(uncertain('options', `答案是「${text.trim()}」，但没有读出选项`, text.trim()))
  return [...found, ...content.children.flatMap((child) => ofAnswer({ ...child, stem: child.stem ?? content.stem }))]
}

/** Options that hold more than an option. */
export function ofOptions(content: QuestionContent): Warning[] {
  const lines = content.options.map((option) => option.doc?.c.filter((block) => block.t === 'p').length ?? 0)
  const last = lines.at(-1) ?? 0
  const found: Warning[] = []
  if (last > 1 && lines.slice(0, -1).every((count) => count <= 1)) {
    const blocks = content.options.at(-1)?.doc?.c ?? []
    found.push(uncertain('options', '最后一个选项后面还有文字，可能不属于这道题', short(plainText(docOf(blocks.slice(1))))))
  } else if (content.options.some((option, index) => index < lines.length - 1 && (lines[index] ?? 0) > 1 && (lines.length < 4 || /\n\s*(?:[A-HＡ-Ｈ\d①-⑳]|[（(])/.test(plainText(option.doc))))) found.push(uncertain('options', '选项中间换了行，可能少读了一个选项'))
  return [...found, ...content.children.flatMap(ofOptions)]
}

/**
 * What a person should look at in a question of a paper.
 * @param n its number, 0 when it has none
 */
export function suspicions(question: Question, n: number, heading: Heading | null): Warning[] {
  const found: Warning[] = [...ofAnswer(question), ...ofOptions(question)]
  const texts = textsOf(question)
  const answers = texts.map((text) => ANSWER_LINE.exec(text)).find((match) => match !== null)
  if (answers) found.push(uncertain('answer', '题中像是有答案，没有读出来', short(answers.input.slice(answers.index).trim())))
  const lost = texts.map((text) => /〔未读出的[^〕]*〕/.exec(text)?.[0]).find((one) => one !== undefined) ?? /〔未读出的[^〕]*〕/.exec(answerText(question))?.[0]
  if (lost) found.push(uncertain('stem', `文件中有读不出的内容，原处写作「${lost}」`))
  if (texts.some((text) => SECTION_LINE.test(text))) found.push(uncertain('stem', '题中像是有另一个大题的标题'))
  if (n > 0 && texts.some((text) => new RegExp(`\\n\\s*${n + 1}\\s*(?:[.．、]|(?=[\\u4e00-\\u9fff]))`).test(text))) found.push(uncertain('stem', `第 ${n + 1} 题可能并入了这道题`))
  if (heading?.single && question.type === 2) found.push(uncertain('answer', '这一大题是单选题，答案却有多个'))
  if (heading?.multiple && (question.type === 1 || (question.answer.k === 'many' && question.answer.ok.length === 1))) found.push(uncertain('answer', '这一大题是多选题，答案却只有一个'))
  return found
}

/** Blanks of a question that points are given for. */
export function blankCount(question: Question): number {
  return inlinesOf(question.stem, 'blank').length
}

/** Choices: one right option, several, or right and wrong. */
import { ANY_NUMBER, TRUE_FALSE } from '../../content/question-rules.ts'
import { optionLetter, type Option, type QuestionContent } from '../../content/question.ts'
import { plainDoc, plainText } from '../../../../core/rich-text/rich-doc.ts'
import { hint, problem, uncertain, type Warning } from '../item.ts'
import { explainedLetters, plainAnswer } from './answers.ts'
import { choiceStem, wholeAnswer, type Raw } from './raw.ts'
import { flat, flowDoc, isBlank, type Flow, type Token } from './flow.ts'

export const optionId = (index: number) => `o${index + 1}`

/** Figures that stand behind the last option while no other option has one belong to the stem. */
function ownFigures(options: readonly Flow[]): { options: Flow[]; figures: Token[] } {
  const last = options.at(-1) ?? []
  const isFigure = (token: Token) => typeof token !== 'string' && (token.t === 'img' || (token.t === 'block' && token.block.t === 'image'))
  const others = options.slice(0, -1).some((option) => option.some(isFigure))
  const rest = last.filter((token) => !isFigure(token))
  if (others || !last.some(isFigure) || isBlank(rest)) return { options: [...options], figures: [] }
  return { options: [...options.slice(0, -1), rest], figures: last.filter(isFigure) }
}

/** A choice question with its options and what is right. */
export function choice(base: QuestionContent, stem: Flow, flows: readonly Flow[], letters: readonly string[] | null, raw: Raw, warnings: Warning[]): QuestionContent {
  const own = ownFigures(flows)
  const options: Option[] = own.options.map((flow, index) => ({ id: optionId(index), doc: flowDoc(flow) }))
  const places = raw.right ?? letters?.map((letter) => (letter.codePointAt(0) ?? 0) - 65) ?? placesOfText(options, wholeAnswer(raw.answer))
  const outside = places.filter((place) => place < 0 || place >= options.length)
  if (outside.length > 0) warnings.push(problem(`答案 ${outside.map((place) => optionLetter(Math.max(0, Math.min(place, 25)))).join('')} 不在选项中`))
  const ok = places.filter((place) => place >= 0 && place < options.length).map(optionId)
  if (places.length === 0) warnings.push(problem(plainAnswer(wholeAnswer(raw.answer)) === '' ? '没有答案' : `答案「${plainAnswer(wholeAnswer(raw.answer)).slice(0, 20)}」不是选项字母`))
  if (letters && letters.length > 1 && letters.join('') !== letters.toSorted().join('')) warnings.push(uncertain('answer', `答案「${letters.join('')}」没有按字母排列，可能是几道题的答案`, letters.join('')))
  const given = places.map((place) => optionLetter(Math.max(0, place))).sort().join('')
  const explained = raw.analysis?.solution && places.length > 0 ? explainedLetters(plainAnswer(raw.analysis.solution), flat(stem)) : null
  const isOther = explained !== null && (places.length > 1 && explained.length === 1 ? !given.includes(explained.join('')) : explained.toSorted().join('') !== given)
  if (isOther) warnings.push(uncertain('answer', `解析中的答案是 ${explained.join('')}，与答案不同`, given))
  const many = raw.type === 2 || ok.length > 1
  if (many && raw.type === 1) warnings.push(uncertain('answer', '标为单选题，但有多个答案', given))
  if (raw.type === 2 && places.length === 1 && /多选|多项/.test(raw.category ?? '')) warnings.push(hint('标为多选题，只有一个答案，已按不定项选择题导入'))
  const doc = choiceStem([...stem, ...own.figures.flatMap((figure): Token[] => ['\n', figure])])
  // A single right option among those of a multiple choice: any number may be right.
  const category = many ? (raw.category === TRUE_FALSE || raw.category === '单选题' ? '多选题' : ok.length === 1 ? ANY_NUMBER : base.category ?? '多选题') : (base.category ?? '单选题')
  return many
    ? { ...base, type: 2, category, stem: doc, options, answer: { k: 'many', ok, rule: 'gaokao' } }
    : { ...base, type: 1, category, stem: doc, options, answer: { k: 'one', ok: ok[0] ?? null } }
}

const key = (text: string) => text.normalize('NFKC').replace(/\s+/g, '').toLowerCase()

/** Some files give the words of the right option instead of its letter. */
function placesOfText(options: readonly Option[], answer: Flow): number[] {
  const wanted = key(plainText(flowDoc(answer)))
  if (wanted === '') return []
  const found = options.flatMap((option, index) => (key(plainText(option.doc)) === wanted ? [index] : []))
  if (found.length > 0) return found.slice(0, 1)
  const several = plainText(flowDoc(answer)).split(/[;；\n|]/).map(key).filter(Boolean)
  const places = several.map((one) => options.findIndex((option) => key(plainText(option.doc)) === one))
  return places.every((place) => place >= 0) ? places : []
}

/** A statement that is right or wrong. */
export function trueFalse(base: QuestionContent, stem: Flow, truth: boolean | null): QuestionContent {
  return {
    ...base,
    type: 1,
    category: TRUE_FALSE,
    stem: choiceStem(stem),
    options: [{ id: optionId(0), doc: plainDoc('正确') }, { id: optionId(1), doc: plainDoc('错误') }],
    answer: { k: 'one', ok: truth === null ? null : optionId(truth ? 0 : 1) },
  }
}

/** Which answer belongs to which question, and how certain that is. */
import { uncertain, type Warning } from '../item.ts'
import { lettersOf, plainAnswer, truthOf } from '../text/answers.ts'
import { cut, flat, isBlank, trim, type Flow } from '../text/flow.ts'
import { readingsOf, rounds, type Reading } from './answer-list.ts'
import { sectionsNamed, slotsOf, withParts, type AnswerBlock, type Outline, type Section } from './outline.ts'
import type { AnalysisFlows } from './tags.ts'

/** The answer of one question from the parts that hold answers. */
export interface Matched {
  answer: Flow
  analysis: AnalysisFlows
  doubts: Warning[]
}

/** No answer anywhere. */
export const NOTHING: Matched = { answer: [], analysis: {}, doubts: [] }
/** Place of a question: its section, and its place there. */
const keyOf = (section: number, place: number) => `${section}/${place}`

const isChoice = ({ heading }: Section) => heading?.kind?.type === 1 || heading?.kind?.type === 2
/** Whether an answer looks like one of a choice; others hardly ever do. */
const looksChosen = (answer: Flow) => lettersOf(plainAnswer(answer)) !== null || truthOf(plainAnswer(answer), false) !== null
const titleOf = ({ heading }: Section, index: number) => (heading?.name ? `「${heading.name}」` : `第 ${index + 1} 部分`)
const short = (answer: Flow) => plainAnswer(answer).slice(0, 20)

/** Two readings that say something else: letters against letters, a word against a word. */
function differ(one: Flow, other: Flow): boolean {
  const [a, b] = [plainAnswer(one), plainAnswer(other)]
  const [left, right] = [lettersOf(a), lettersOf(b)]
  if (left && right) return left.join('') !== right.join('')
  const bare = (text: string) => text.replace(/[\s.．。；;，,、]+/g, '')
  return !left && !right && bare(a).length <= 20 && bare(b).length <= 20 && bare(a) !== bare(b)
}

class Matching {
  readonly #outline: Outline
  readonly #found = new Map<string, Matched>()

  constructor(outline: Outline) {
    this.#outline = outline
  }

  get(section: number, place: number): Matched {
    return this.#found.get(keyOf(section, place)) ?? NOTHING
  }

  #change(section: number, place: number, change: (old: Matched) => Matched): void {
    this.#found.set(keyOf(section, place), change(this.get(section, place)))
  }

  doubt(section: number, place: number, warning: Warning): void {
    this.#change(section, place, (old) => (old.doubts.some((one) => one.message === warning.message) ? old : { ...old, doubts: [...old.doubts, warning] }))
  }

  /** Adds what was read; a second reading completes the first, or contradicts it. */
  add(section: number, place: number, reading: Reading, doubt?: string): void {
    this.#change(section, place, (old) => {
      const doubts = [...old.doubts]
      let { answer } = old
      let { analysis } = old
      const isSecond = !isBlank(old.answer)
      if (isSecond && looksChosen(old.answer) && !looksChosen(reading.answer) && !isBlank(reading.answer)) analysis = { solution: reading.answer, ...analysis }
      else if (isSecond && !isBlank(reading.answer) && differ(old.answer, reading.answer)) doubts.push(uncertain('answer', `文件中有两个答案：「${short(old.answer)}」和「${short(reading.answer)}」`, short(old.answer)))
      if (!isSecond) answer = reading.answer
      if (reading.doubt) doubts.push(uncertain('answer', reading.doubt))
      if (doubt) doubts.push(uncertain('answer', doubt, short(answer)))
      return { answer, analysis: { ...reading.analysis, ...analysis }, doubts }
    })
  }

  /** Places of all questions with a number in some sections. */
  #places(sections: readonly Section[], n: number): [section: number, place: number][] {
    return sections.flatMap((section) => slotsOf(section).flatMap((mark, place): [number, number][] => (mark.n === n ? [[this.#outline.sections.indexOf(section), place]] : [])))
  }

  block(block: AnswerBlock, flow: Flow): void {
    const candidates = this.#outline.sections.slice(block.since, block.until)
    const named = block.target ? withParts(sectionsNamed(block.target, candidates), candidates) : []
    const scope = named.length > 0 ? named : candidates
    const [only] = scope
    const content = trim(cut(flow, block.from, block.to))
    const readings = readingsOf(content, scope.map((section) => slotsOf(section).map((mark) => mark.n)))
    if (readings.length === 0 && scope.length === 1 && only && slotsOf(only).length <= 1 && !isBlank(content)) {
      // The only question of a section needs no number in front of its answer.
      this.add(this.#outline.sections.indexOf(only), 0, { n: 0, at: 0, answer: content, analysis: {} })
      return
    }
    const kind = block.target?.kind
    const other = named.length === 1 && kind && block.target?.name && only?.heading?.kind && only.heading.kind.type !== kind.type && only.heading.name !== block.target?.name
    const doubt = other ? `答案写在「${block.target?.name}」下，正文的这一大题是「${only.heading?.name}」` : undefined
    const numbers = scope.flatMap((section) => slotsOf(section).map((mark) => mark.n))
    const isUnique = new Set(numbers).size === numbers.length
    if (!isUnique && this.#inTurn(scope, readings)) return
    const known = new Set(numbers)
    if (only && scope.length === 1 && readings.length > 0 && !readings.some((reading) => known.has(reading.n)) && this.#inOrder(only, readings)) return
    for (const reading of readings) {
      // A line that begins with the name of another section is the answer of that one.
      const name = this.#outline.sections.find(({ heading }) => heading && heading.name.length >= 2 && flat(reading.answer).includes(`\n${heading.name}`))?.heading?.name
      if (name) reading.doubt ??= `答案里像是有「${name}」的答案`
      const places = this.#places(scope, reading.n)
      const [place] = places
      if (places.length === 1 && place) this.add(...place, reading, doubt)
      else if (places.length === 0) this.#stray(scope, candidates, reading)
    }
    if (!isUnique) this.#ambiguous(scope, readings)
  }

  /** Rounds of answers that have the very numbers of the sections, one after the other. */
  #inTurn(scope: readonly Section[], readings: readonly Reading[]): boolean {
    const sections = scope.filter((section) => slotsOf(section).length > 0)
    const all = rounds(readings)
    const same = all.length === sections.length && all.every((round, index) => round.map((one) => one.n).join() === sections[index]?.marks.map((mark) => mark.n).join())
    // Kinds have to agree: letters for what is chosen, nothing like that for what is written.
    const fits = same && all.every((round, index) => {
      const section = sections[index]
      return section?.heading?.kind && round.every((one) => isBlank(one.answer) || looksChosen(one.answer) === isChoice(section))
    })
    if (!same || !fits) return false
    for (const [index, round] of all.entries()) {
      const section = sections[index]
      if (section) for (const [place, reading] of round.entries()) this.add(this.#outline.sections.indexOf(section), place, reading, `答案没有写明大题，按先后对应到${titleOf(section, index)}第 ${reading.n} 题`)
    }
    return true
  }

  /** Answers under other numbers than the questions have, as many as there are: a guess by their order. */
  #inOrder(section: Section, readings: readonly Reading[]): boolean {
    const [round, ...more] = rounds(readings)
    if (!round || more.length > 0 || round.length !== slotsOf(section).length) return false
    for (const [place, reading] of round.entries()) this.add(this.#outline.sections.indexOf(section), place, reading, `答案写的是第 ${reading.n} 题，按先后对应到第 ${slotsOf(section)[place]?.n ?? 0} 题`)
    return true
  }

  /** An answer whose question is not in the section that it stands under. */
  #stray(scope: readonly Section[], candidates: readonly Section[], reading: Reading): void {
    const places = this.#places(candidates, reading.n)
    const all = candidates.flatMap((section) => slotsOf(section).map((mark) => mark.n))
    const [place] = places
    // Numbers that go through the whole paper need no section.
    if (places.length === 1 && place && new Set(all).size === all.length) return this.add(...place, reading)
    const before = scope.flatMap((section) => slotsOf(section).map((mark, index) => ({ section: this.#outline.sections.indexOf(section), index, n: mark.n }))).filter(({ n }) => n < reading.n).at(-1)
    if (before) this.doubt(before.section, before.index, uncertain('stem', `答案中有第 ${reading.n} 题，正文没有找到，可能并入了这道题`))
  }

  /** Questions that share their number with others while the answers name no section. */
  #ambiguous(scope: readonly Section[], readings: readonly Reading[]): void {
    for (const n of new Set(scope.flatMap((section) => slotsOf(section).map((mark) => mark.n)))) {
      const places = this.#places(scope, n)
      if (places.length < 2) continue
      const given = readings.filter((reading) => reading.n === n)
      const names = places.map(([index]) => this.#outline.sections[index]).map((section, index) => (section ? titleOf(section, scope.indexOf(section)) : String(index))).join('')
      for (const [index, place] of places) {
        const section = this.#outline.sections[index]
        const fitting = given.filter((reading) => section && looksChosen(reading.answer) === isChoice(section))
        const rivals = places.filter(([other]) => this.#outline.sections[other] && section && isChoice(this.#outline.sections[other]) === isChoice(section))
        const message = `${names}都有第 ${n} 题，答案没有写明大题`
        const [guess] = fitting
        if (guess && fitting.length === 1 && rivals.length === 1) this.add(index, place, guess, message)
        else this.doubt(index, place, uncertain('answer', given.length > 0 ? `${message}，可能是${given.map((one) => `「${short(one.answer)}」`).join('、')}` : message))
      }
    }
  }
}

/** Answers of a paper by the places of its questions. */
export function matchAnswers(outline: Outline, flow: Flow): Pick<Matching, 'get'> {
  const matching = new Matching(outline)
  for (const block of outline.blocks) matching.block(block, flow)
  return matching
}

/** Whether two answers of one question contradict each other. */
export const contradict = (one: Flow, other: Flow) => flat(one).trim() !== '' && flat(other).trim() !== '' && differ(one, other)

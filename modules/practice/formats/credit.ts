/** Answers that bring a share of the points, as Moodle and QTI give them. Our questions know right answers only. */
import { optionLetter } from '../content/question.ts'
import { uncertain, type Warning } from './item.ts'

/** Shares are written with a few digits: 33.33333. */
const CLOSE = 0.01
const isFull = (credit: number) => credit >= 100 - CLOSE
const percent = (credit: number) => `${Number(credit.toFixed(2))}%`
const letters = (places: readonly number[]) => places.map(optionLetter).join('、')

interface Key {
  /** Places of the right options, from 0. */
  right: number[]
  /** What of the credits our questions have no place for. */
  said: Warning[]
}

/** Places of the options that bring something. */
const rewarded = (credits: readonly number[]) => credits.flatMap((credit, place) => (credit > 0 ? [place] : []))

/**
 * The key of a question in which one option is chosen: the option with the best credit.
 * @param credits percent of the points, option by option
 */
export function bestOption(credits: readonly number[]): Key {
  const best = Math.max(0, ...credits)
  const all = rewarded(credits)
  const top = all.filter((place) => (credits[place] ?? 0) >= best - CLOSE)
  const rest = all.filter((place) => !top.includes(place))
  const right = top.slice(0, 1)
  const said: Warning[] = []
  if (top.length > 1) said.push(uncertain('answer', `单选题中选项 ${letters(top)} 都得 ${percent(best)}，只能记一个答案`, letters(right)))
  if (rest.length > 0) said.push(uncertain('answer', `选项 ${rest.map((place) => `${optionLetter(place)} 得 ${percent(credits[place] ?? 0)}`).join('、')}，单选题没有部分分，没有保留`, letters(right)))
  const minus = credits.flatMap((credit, place) => (credit < 0 ? [`${optionLetter(place)} 扣 ${percent(-credit)}`] : []))
  if (minus.length > 0) said.push(uncertain('answer', `选项 ${minus.join('、')}，单选题没有倒扣分，没有保留`, letters(right)))
  if (best > 0 && !isFull(best)) said.push(uncertain('answer', `得分最高的选项只得 ${percent(best)}`, letters(right)))
  return { right, said }
}

/**
 * The key of a question in which several options are chosen: credits add up to the whole. An option that brings all
 * points alone is the key; equal shares that add up are all right.
 * @param credits percent of the points, option by option
 */
export function sharedOptions(credits: readonly number[]): Key {
  const all = rewarded(credits)
  const full = all.filter((place) => isFull(credits[place] ?? 0))
  const shares = all.map((place) => credits[place] ?? 0)
  const named = all.map((place) => `${optionLetter(place)} 得 ${percent(credits[place] ?? 0)}`).join('、')
  if (full.length > 0 && all.length > 1) return { right: full.slice(0, 1), said: [uncertain('answer', `选项 ${named}，选一项即可得满分，只记了 ${letters(full.slice(0, 1))}`, letters(full.slice(0, 1)))] }
  const sum = shares.reduce((total, one) => total + one, 0)
  const isEven = shares.every((one) => Math.abs(one - (shares[0] ?? 0)) < CLOSE) && Math.abs(sum - 100) < 0.5
  return { right: all, said: all.length === 0 || isEven ? [] : [uncertain('answer', `选项 ${named}，各项的分值不能保留`, letters(all))] }
}

export interface Accepted {
  text: string
  /** Percent of the points. */
  credit: number
}

/**
 * Written answers that are right: those with the best credit. Others, and patterns that stand for many answers, are said.
 * @param place what the warning begins with, where there are several blanks: 第 2 空
 * @param isPattern whether an asterisk stands for anything
 */
export function bestAnswers<One extends Accepted>(answers: readonly One[], { place = '', isPattern = false } = {}): { right: One[]; said: Warning[] } {
  const plain = answers.filter((one) => one.credit > 0 && !(isPattern && /(?<!\\)\*/.test(one.text)))
  const patterns = answers.filter((one) => one.credit > 0 && !plain.includes(one))
  const best = Math.max(0, ...plain.map((one) => one.credit))
  const right = plain.filter((one) => one.credit >= best - CLOSE)
  const rest = plain.filter((one) => !right.includes(one))
  const guess = right.map((one) => one.text.slice(0, 20)).join('、')
  const said: Warning[] = []
  if (rest.length > 0) said.push(uncertain('answer', `${place}答案${rest.map((one) => `「${one.text.slice(0, 20)}」得 ${percent(one.credit)}`).join('、')}，填空题没有部分分，没有保留`, guess))
  if (patterns.length > 0) said.push(uncertain('answer', `${place}答案${patterns.map((one) => `「${one.text.slice(0, 20)}」`).join('、')}用 * 代表任意文字，没有保留`, guess))
  if (best > 0 && !isFull(best)) said.push(uncertain('answer', `${place}得分最高的答案只得 ${percent(best)}`, guess))
  return { right, said }
}

/** A number that is right, and how far off it may be. */
export interface Range {
  value: string
  eps: number
}

/** Reads 3.14, 3.14:0.01 or 1..5. */
export function rangeOf(source: string): Range {
  const between = /^\s*(-?[\d.eE+-]+?)\s*\.\.\s*(-?[\d.eE+-]+)\s*$/.exec(source)
  if (between) {
    const [low, high] = [Number(between[1]), Number(between[2])]
    return { value: String(Number(((low + high) / 2).toPrecision(12))), eps: Number((Math.abs(high - low) / 2).toPrecision(12)) }
  }
  const [value = '', eps] = source.split(':')
  return { value: value.trim(), eps: Number(eps ?? 0) || 0 }
}

/** One tolerance for all numbers of a blank; several are said, and the smallest is kept. */
export function toleranceOf(ranges: readonly Range[], place = ''): { eps: number; said: Warning[] } {
  const all = ranges.map((range) => range.eps)
  const eps = all.length === 0 ? 0 : Math.min(...all)
  return { eps, said: all.some((one) => one !== eps) ? [uncertain('answer', `${place}各个答案的误差不同（${all.join('、')}），只保留了 ${eps}`)] : [] }
}

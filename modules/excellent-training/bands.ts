/** From a score on: which level somebody has, and which class is theirs. */
export interface Band {
  readonly from: number
  readonly level: string
  readonly class_type: string
}

/** The band that a score lies in: the highest that begins at or below it. */
export function bandOf<One extends Pick<Band, 'from'>>(bands: readonly One[], score: number): One | undefined {
  return bands.filter(({ from }) => from <= score).toSorted((a, b) => b.from - a.from)[0]
}

/** What is wrong with bands, as one sentence: two that begin at one score. */
export function bandProblem(bands: readonly Pick<Band, 'from'>[]): string | undefined {
  const starts = bands.map(({ from }) => from)
  const twice = starts.find((from, index) => starts.indexOf(from) !== index)
  return twice === undefined ? undefined : `有两个分数段都从 ${twice} 分开始`
}

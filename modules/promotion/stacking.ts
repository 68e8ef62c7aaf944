/** Ways by which something costs less here. */
export const WAYS = [
  { value: 'suite', label: '套餐' }, { value: 'flash', label: '限时抢购' }, { value: 'group', label: '拼团' }, { value: 'coupon', label: '优惠券' },
] as const

export type Way = (typeof WAYS)[number]['value']

/** Which ways go together; a pair that does not stand here does not. None of them ever goes below the floor price. */
export const TOGETHER: readonly (readonly [Way, Way])[] = [['suite', 'coupon']]

/** The first two of some ways that do not go together; undefined where all do. */
export function clashOf(ways: readonly Way[]): readonly [Way, Way] | undefined {
  const pairs = ways.flatMap((one, index) => ways.slice(index + 1).map((other): readonly [Way, Way] => [one, other]))
  return pairs.find(([one, other]) => one !== other && !TOGETHER.some((pair) => pair.includes(one) && pair.includes(other)))
}

/** Why ways cannot be used at once, in one sentence. */
export function clashWords(ways: readonly Way[]): string | undefined {
  const clash = clashOf(ways)
  const word = (way: Way) => WAYS.find(({ value }) => value === way)?.label ?? way
  return clash && `${word(clash[0])}和${word(clash[1])}不能同时使用`
}

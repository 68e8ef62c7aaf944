const DAY = 86_400

/**
 * Activations of every day from the first to the last, days without any too, with their running sum.
 * @param days first second of each day that has activations, ascending
 */
export function cumulate(days: readonly { day: number; n: number }[]): { day: number; n: number; sum: number }[] {
  const [first, last] = [days[0]?.day, days.at(-1)?.day]
  if (first === undefined || last === undefined) return []
  const counts = new Map(days.map(({ day, n }) => [day, n]))
  let sum = 0
  return Array.from({ length: Math.round((last - first) / DAY) + 1 }, (_unused, index) => {
    const day = first + index * DAY
    const n = counts.get(day) ?? 0
    sum += n
    return { day, n, sum }
  })
}

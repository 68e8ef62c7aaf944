/** How good a measurement is. */
export type Grade = 'good' | 'warning' | 'bad'

/** Share of a disk or memory that may be used before somebody should look, and before it is urgent. */
const USED_WARNING = 0.8
const USED_BAD = 0.92
/** Milliseconds that requests may wait for the event loop. */
const LOOP_WARNING = 100
const LOOP_BAD = 500

const grade = (value: number, warning: number, bad: number): Grade => (value >= bad ? 'bad' : value >= warning ? 'warning' : 'good')

export function gradeUsed(free: number, total: number): Grade {
  return grade(total > 0 ? 1 - free / total : 0, USED_WARNING, USED_BAD)
}

export function gradeLoop(p99: number): Grade {
  return grade(p99, LOOP_WARNING, LOOP_BAD)
}

/** Bytes as people read them: 1.5 MB. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const value = bytes / 1024 ** power
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}

/** Seconds as people say them: 3 天 4 小时. */
export function durationText(seconds: number): string {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3600), Math.floor((seconds % 3600) / 60)]
  if (days > 0) return hours > 0 ? `${days} 天 ${hours} 小时` : `${days} 天`
  if (hours > 0) return minutes > 0 ? `${hours} 小时 ${minutes} 分钟` : `${hours} 小时`
  return minutes > 0 ? `${minutes} 分钟` : `${Math.floor(seconds)} 秒`
}

/** Points of a line over `width` × `height` that begins at the bottom for zero; the highest value touches the top. */
export function linePoints(values: readonly number[], width: number, height: number): string {
  const top = Math.max(...values, 0)
  const step = values.length > 1 ? width / (values.length - 1) : 0
  return values.map((value, index) => `${(index * step).toFixed(1)},${(height - (top > 0 ? value / top : 0) * height).toFixed(1)}`).join(' ')
}

import type { Facts } from './report.ts'

/** A sentence from facts, for a teacher to go on from: what is not known is not said. */
export function draftOf({ tasks, done, late, score, before, days }: Facts): string {
  const words = [`这段时间共有 ${tasks} 个任务，完成了 ${done} 个`, late > 0 ? `其中 ${late} 个晚于截止时间` : tasks > 0 && done === tasks ? '全部按时完成' : '', days > 0 ? `有 ${days} 天主动学习` : '']
  const gain = score !== null && score !== undefined && before !== null && before !== undefined ? Math.round((score - before) * 10) / 10 : undefined
  if (score !== null && score !== undefined) words.push(`得分率 ${score}%${gain === undefined || gain === 0 ? '' : gain > 0 ? `，比上一阶段提高 ${gain} 个百分点` : `，比上一阶段下降 ${-gain} 个百分点`}`)
  return `${words.filter((one) => one !== '').join('，')}。`
}

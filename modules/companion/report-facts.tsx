import { Descriptions } from 'antd'
import { draftOf } from './report-words.ts'
import type { Facts } from './report.ts'

const percent = (value: number | null | undefined) => (value === null || value === undefined ? '—' : `${value}%`)

/** The figures of a report; each can be put into the words by a click. */
export function ReportFacts({ facts, onInsert }: { facts: Facts | null; onInsert?: (words: string) => void }) {
  if (!facts) return null
  const rows: [label: string, value: string, words: string][] = [
    ['完成任务', `${facts.done} / ${facts.tasks}`, `完成了 ${facts.done} / ${facts.tasks} 个任务`], ['逾期提交', `${facts.late} 次`, `逾期提交 ${facts.late} 次`],
    ['得分率', percent(facts.score), `得分率 ${percent(facts.score)}`], ['上一阶段', percent(facts.before), `上一阶段得分率 ${percent(facts.before)}`],
    ['学习天数', `${facts.days} 天`, `主动学习 ${facts.days} 天`], ['上课', `${facts.lessons} 节`, `上课 ${facts.lessons} 节`],
  ]
  return (
    <Descriptions size="small" column={3} bordered items={rows.map(([label, value, words]) => ({ key: label, label, children: onInsert ? <button type="button" className="link" title="写进评语" onClick={() => onInsert(words)}>{value}</button> : value }))} extra={onInsert && <button type="button" className="link" onClick={() => onInsert(draftOf(facts))}>写成一段话</button>} />
  )
}

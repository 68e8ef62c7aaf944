import type { Writable } from 'node:stream'
import { writeXlsx, type WriteColumn } from '../../../core/sheet/write.server.ts'
import type { Results } from './calls.ts'

const WHO = { listed: '名单内', learner: '平台学员', unknown: '名单外' } as const

/** Points of candidates as a workbook; whoever has no card stands at its end. Ends the target. */
export async function writeResults(target: Writable, { candidates, questions, missing }: Results): Promise<void> {
  const ordered = [...candidates].sort((a, b) => b.total - a.total)
  const columns: WriteColumn[] = [
    { key: 'number', label: '考号', type: 'text' }, { key: 'name', label: '姓名', type: 'text' }, { key: 'class', label: '班级', type: 'text' }, { key: 'who', label: '来源', type: 'text' }, { key: 'state', label: '状态', type: 'text' },
    { key: 'total', label: '总分', type: 'number' }, { key: 'rank', label: '名次', type: 'number' }, { key: 'choice', label: '客观题', type: 'number' }, { key: 'written', label: '主观题', type: 'number' },
    ...questions.flatMap(({ label }, at): WriteColumn[] => [
      ...(candidates.some(({ letters }) => letters[at] !== null) ? [{ key: `letters${at}`, label: `${label} 作答`, type: 'text' as const }] : []), { key: `points${at}`, label: `${label} 得分`, type: 'number' },
    ]),
  ]
  async function* rows() {
    for (const one of ordered) {
      const state = one.absent ? '缺考' : one.lacking > 0 ? `缺 ${one.lacking} 页` : one.open > 0 ? `${one.open} 处未定` : '正常'
      yield {
        number: one.number, name: one.name, class: one.class, who: WHO[one.who], state, ...(!one.absent && { total: one.total, rank: 1 + ordered.filter((other) => !other.absent && other.total > one.total).length, choice: one.choice, written: one.written }),
        ...Object.fromEntries(one.points.flatMap((points, at) => [[`points${at}`, one.absent ? undefined : points ?? undefined], [`letters${at}`, one.letters[at] ?? undefined]])),
      }
    }
    for (const { number, name, class: group } of missing) yield { number, name, class: group, who: WHO.listed, state: '无答题卡' }
  }
  await writeXlsx(target, { sheetName: '成绩', columns, rows: rows() })
}

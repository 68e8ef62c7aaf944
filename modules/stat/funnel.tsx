import { useQuery } from '@tanstack/react-query'
import { Alert, Empty, Skeleton } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { statFunnel } from './calls.ts'
import type { AskedStats } from './use-asked.tsx'
import { dayWord } from './words.ts'

const percent = (part: number, whole: number) => (whole === 0 ? '' : `${((part / whole) * 100).toFixed(1)}%`)

/** What became of those who came in: each bar is the share of the step before, hatched where people have not had all days yet. */
export function Funnel({ asked }: { asked: AskedStats }) {
  const { data, error } = useQuery({ queryKey: ['stat-funnel', asked], queryFn: ({ signal }) => call(statFunnel, asked, { signal, quiet: true }) })
  return (
    <section className="stat-card stat-funnel" aria-labelledby="stat-funnel">
      <header><h2 id="stat-funnel">购买漏斗</h2><small>按注册日算，{data?.days ?? 14} 天内，一人一次</small></header>
      {error ? <Alert type="error" showIcon title={error.message} /> : !data ? <Skeleton active /> : data.steps.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="需要能查看全部用户" /> : (
        <>
          <table>
            <thead><tr><th scope="col">步骤</th><th aria-hidden /><th scope="col">人数</th><th scope="col">占上一步</th></tr></thead>
            <tbody>
              {data.steps.map((step, at) => {
                const before = data.steps[at - 1]
                const share = before ? (before.value === 0 ? 0 : step.value / before.value) : 1
                const ripe = step.value === 0 ? 0 : step.ripe / step.value
                return (
                  <tr key={step.title} title={step.about}>
                    <th scope="row">{step.title}</th>
                    <td aria-label={before ? `占上一步 ${percent(step.value, before.value)}` : '全部'}><span className="stat-bar"><i style={{ inlineSize: `${share * ripe * 100}%` }} /><i data-unripe style={{ inlineSize: `${share * (1 - ripe) * 100}%` }} /></span></td>
                    <td className="figure">{step.value.toLocaleString('zh-CN')}</td><td className="figure">{before ? percent(step.value, before.value) : ''}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
          {data.unripe_from !== null && <p className="note">{dayWord(data.unripe_from)} 起注册的人不满 {data.days} 天，斜纹部分还会增长</p>}
        </>
      )}
    </section>
  )
}

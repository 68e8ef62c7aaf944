import { Progress } from 'antd'
import { formatMoney } from '../../core/field/number.ts'
import { present } from '../../core/resource/present.tsx'
import { agentTarget } from './target.ts'

/** How far something is, beside its number. */
function Done({ done, of, text }: { done: number; of: number; text: string }) {
  const percent = of > 0 ? Math.min(100, Math.max(0, Math.floor((done / of) * 100))) : 0
  return <span className="figure">{text}{of > 0 && <Progress percent={percent} size="small" />}</span>
}

export default present(agentTarget)({
  cells: {
    sales_done: ({ value, row }) => <Done done={Number(value ?? 0)} of={row.sales} text={formatMoney(Number(value ?? 0))} />,
    codes_done: ({ value, row }) => <Done done={Number(value ?? 0)} of={row.codes} text={String(Number(value ?? 0))} />,
    codes_left: ({ value }) => (Number(value ?? 0) < 0 ? <span className="lacking figure">超 {-Number(value)}</span> : <span className="figure">{Number(value ?? 0)}</span>),
  },
})

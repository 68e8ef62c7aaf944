import { Progress } from 'antd'
import { present } from '../../core/resource/present.tsx'
import { agentTarget } from './target.ts'

export default present(agentTarget)({
  cells: {
    sales_rate: ({ value }) => <Progress percent={Math.max(0, Number(value ?? 0))} size="small" status="normal" format={(percent) => `${percent ?? 0}%`} />,
    codes_left: ({ value }) => (Number(value ?? 0) < 0 ? <span className="lacking figure">超 {-Number(value)}</span> : <span className="figure">{Number(value ?? 0)}</span>),
  },
})

import { Alert, Empty, Select, Tag } from 'antd'
import { useMemo, useState } from 'react'
import { choiceLabel } from '../../../core/field/choice.ts'
import { TYPES, type PracticeCard } from '../../practice/module.ts'
import { analyse, contradiction, type Described, type Share } from '../compose/analysis.ts'
import { itemsOf } from '../compose/body.ts'
import type { PaperEditing } from './use-paper.tsx'

/** What the analysis reads of a card. */
export function describe(card: PracticeCard & { repeats: number }): Described {
  return {
    type: card.type, category: card.category_name, difficulty: card.difficulty, coef: card.coef, cognitive: card.cognitive,
    labels: card.labels.filter(({ kind }) => kind === 'knowledge').map(({ id, name }) => ({ id, name })),
    est_seconds: card.est_seconds, source_years: card.source_years, repeats: card.repeats, has_video: card.has_video === 1,
  }
}

/** As many of the last papers repeated questions can be looked for in. */
const RECENT_CHOICES = [3, 5, 10, 20, 50]

const percent = (share: number) => `${Math.round(share * 100)}%`

/** Parts of the points as bars, with their names and numbers beside them: nothing is told by colour alone. */
function Bars({ title, shares, most = 8 }: { title: string; shares: readonly Share[]; most?: number }) {
  return (
    <section className="paper-bars">
      <h4>{title}</h4>
      <dl>
        {shares.slice(0, most).map(({ name, count, points, share }) => (
          <div key={name}>
            <dt title={name}>{name}</dt>
            <dd><span className="paper-bar"><span style={{ width: percent(share) }} /></span><span>{count} 题 · {points} 分</span></dd>
          </div>
        ))}
      </dl>
      {shares.length > most && <p className="paper-faint">另有 {shares.length - most} 项</p>}
    </section>
  )
}

/** What the paper is like, while it is being composed. */
export function AnalysisPanel({ editing: { body, cards, recent, setRecent }, onShow }: { editing: PaperEditing; onShow: (practiceId: number) => void }) {
  const [thisYear] = useState(() => new Date().getFullYear())
  const found = useMemo(() => {
    const described = new Map([...cards].map(([id, card]) => [id, describe(card)]))
    return analyse(itemsOf(body), (id) => described.get(id), (type) => choiceLabel(TYPES, type), thisYear)
  }, [body, cards, thisYear])
  if (found.count === 0) return <Empty description="加入试题后显示分析" />
  const odd = contradiction(found)
  return (
    <div className="paper-analysis">
      {odd !== null && <Alert type="warning" showIcon title={odd} />}
      <dl className="paper-figures">
        <div><dt>难度系数</dt><dd>{found.coef === null ? '—' : found.coef.toFixed(2)}</dd></div>
        <div><dt>预计用时</dt><dd>{found.minutes} 分钟</dd></div>
        <div><dt>近三年真题</dt><dd>{percent(found.recent)}</dd></div>
        <div><dt>视频覆盖</dt><dd>{percent(found.video)}</dd></div>
      </dl>
      <section className="paper-bars">
        <h4>与近 <Select size="small" value={recent} options={RECENT_CHOICES.map((value) => ({ value, label: String(value) }))} onChange={setRecent} aria-label="比较的近期试卷数" /> 卷重复 {found.repeated.length} 题</h4>
        {found.repeated.map((id) => <Tag key={id} color="warning" className="paper-jump" onClick={() => onShow(id)}>{cards.get(id)?.no ?? id}</Tag>)}
      </section>
      <Bars title="难度分布" shares={found.difficulty} />
      <Bars title="题型" shares={found.types} />
      <Bars title="知识点覆盖" shares={found.knowledge} most={12} />
      <Bars title="认知层次" shares={found.cognitive} />
    </div>
  )
}

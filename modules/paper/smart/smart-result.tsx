import { LockOutlined, SwapOutlined, UnlockOutlined } from '@ant-design/icons'
import { Alert, Button, Popover, Segmented, Space, Tag, Tooltip } from 'antd'
import { useState } from 'react'
import type { PracticeCard } from '../../practice/module.ts'
import { QuestionView } from '../../practice/door.tsx'
import type { SmartOutcome } from './calls.ts'
import type { Wish } from './candidates.server.ts'
import type { Chosen } from './compose.server.ts'
import { WEIGHTS, type Term } from './problem.ts'
import type { SmartRule } from './rule.ts'

const LETTERS = ['A', 'B', 'C', 'D', 'E']
const TERM_NAMES: Readonly<Record<Term, string>> = { coef: '难度系数', bands: '难度分布', coverage: '知识点覆盖', repeat: '避免重复', age: '题目新旧', time: '预计用时' }
const WORST = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0)

/** How close a paper comes to what was asked, and to the best that the candidates allow; 100 is exactly as asked. */
const closeness = (penalty: number) => Math.max(0, Math.round((1 - penalty / WORST) * 1000) / 10)

/** A condition of one row of the table that is to be dropped. */
export interface Relaxation {
  section: number
  row: number
  key: 'bands' | 'cognitive' | 'label_ids'
}

interface Props {
  rule: SmartRule
  outcome: SmartOutcome
  /** Keeps a question when the paper is composed again; absent where nothing can be changed. */
  onLock?: (practiceId: number, section: number, locked: boolean) => void
  /** Puts one of the replacements into the place of a question. */
  onReplace?: (practiceId: number, by: number, section: number) => void
  /** Drops conditions that the bank cannot meet. */
  onRelax?: (conditions: readonly Relaxation[]) => void
  /** Drops a wish of the whole paper. */
  onWish?: (wish: Wish) => void
  /** Takes the questions of the paper that this one is parallel to after all; absent where there is none. */
  onInclude?: (() => void) | undefined
}

/** Which wishes of the whole paper are to blame, those that fill most places first: how many they would fill without it, and how many questions that brings for these. */
function blame(unmet: SmartOutcome['unmet']): { key: Wish; label: string; filled: number; gained: number }[] {
  const wishes = Map.groupBy(unmet.flatMap(({ need, have, wishes: own }) => own.map((wish) => ({ ...wish, need, before: have }))), ({ key }) => key)
  return [...wishes.entries()].map(([key, list]) => ({
    key, label: list[0]?.label ?? '', filled: list.filter(({ have, need }) => have >= need).length, gained: list.reduce((sum, { have, need, before }) => sum + Math.min(have, need) - before, 0),
  })).toSorted((a, b) => b.filled - a.filled || b.gained - a.gained)
}

/** The papers that came of a rule, with the reason for each question; or what the bank lacks. */
export function SmartResult({ rule, outcome, onLock, onReplace, onRelax, onWish, onInclude }: Props) {
  const [at, setAt] = useState(0)
  const cards = new Map(outcome.practices.map((card) => [card.id, card]))
  if (outcome.unmet.length > 0) {
    // What brings each row the most questions comes first.
    const best = outcome.unmet.flatMap(({ section, row, relax: [most] }): Relaxation[] => (row === undefined || !most ? [] : [{ section, row, key: most.key }]))
    return (
      <div className="smart-unmet">
        <Alert type="warning" showIcon title="题库中的试题不够，还不能成卷" action={(
          <Space wrap>
            {onRelax && best.length > 1 && <Button size="small" type="primary" onClick={() => onRelax(best)}>放宽 {best.length} 行细目</Button>}
            {onInclude && <Button size="small" onClick={onInclude}>也选原卷的试题</Button>}
          </Space>
        )} />
        {blame(outcome.unmet).map(({ key, label, filled, gained }) => (
          <div key={key} className="smart-lack">
            <b>「{label}」的要求</b>：不限{label}可补足 {filled} 处、多 {gained} 题（共缺 {outcome.unmet.length} 处）。
            {onWish && <Button size="small" onClick={() => onWish(key)} aria-label={`不限${label}`}>不限{label}</Button>}
          </div>
        ))}
        {outcome.unmet.map(({ section, row, need, have, relax, wishes }) => (
          <div key={`${section} ${row}`} className="smart-lack">
            <b>{rule.sections[section]?.name}{row !== undefined && ` · 第 ${row + 1} 行细目`}</b>：需要 {need} 题，题库有 {have} 题，缺 {need - have} 题。
            <Space wrap>
              {relax.map((one) => onRelax && row !== undefined && <Button key={one.key} size="small" onClick={() => onRelax([{ section, row, key: one.key }])}>不限{one.label}（有 {one.have} 题）</Button>)}
              {relax.length === 0 && wishes.length === 0 && <span className="paper-faint">放宽任何一项要求都不够，请减少题数</span>}
            </Space>
          </div>
        ))}
      </div>
    )
  }
  const version = outcome.versions[at] ?? outcome.versions[0]
  if (!version) return null
  return (
    <div className="smart-result">
      {outcome.versions.length > 1 && <Segmented value={at} onChange={setAt} options={outcome.versions.map((_, index) => ({ value: index, label: `${LETTERS[index]}卷` }))} />}
      <p>
        符合要求 <b>{closeness(version.penalty)}</b> 分（满分 100），候选中的最优不高于 {closeness(version.bound)} 分；从 {version.candidates} 道候选中选出，随机种子 {outcome.seed}。
      </p>
      <Space wrap size={4}>
        {(Object.keys(TERM_NAMES) as Term[]).filter((term) => version.terms[term] > 0.005).map((term) => <Tag key={term}>{TERM_NAMES[term]}偏差 {Math.round(version.terms[term] * 100)}%</Tag>)}
      </Space>
      {version.unmet.map(({ section, lack }) => <Alert key={section} type="warning" showIcon title={`${rule.sections[section]?.name}缺 ${lack} 题：受同知识点、同来源或变式题的限制`} />)}
      {rule.sections.map((section, index) => (
        <section key={index}>
          <h3>{section.name}</h3>
          <ol className="paper-items">
            {version.chosen.filter((chosen) => chosen.section === index).map((chosen) => (
              <ChosenRow key={chosen.practice_id} chosen={chosen} cards={cards} {...(onLock && { onLock: (locked: boolean) => onLock(chosen.practice_id, index, locked) })}
                {...(onReplace && { onReplace: (by: number) => onReplace(chosen.practice_id, by, index) })} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

interface RowProps {
  chosen: Chosen
  cards: ReadonlyMap<number, PracticeCard>
  onLock?: (locked: boolean) => void
  onReplace?: (by: number) => void
}

function ChosenRow({ chosen, cards, onLock, onReplace }: RowProps) {
  const card = cards.get(chosen.practice_id)
  const others = chosen.replacements.flatMap((id) => cards.get(id) ?? [])
  return (
    <li className="paper-item">
      <div className="paper-item-bar">
        <Space size={4} wrap>
          <span>{card?.no}</span>
          {chosen.reasons.map((reason) => <Tag key={reason}>{reason}</Tag>)}
        </Space>
        <Space size={4}>
          <span>{chosen.score} 分</span>
          {onReplace && others.length > 0 && (
            <Popover trigger="click" placement="leftTop" title="换成这些相当的试题" content={(
              <ul className="smart-others">
                {others.map((other) => <li key={other.id}>{chosen.fresh?.includes(other.id) && <Tag color="success">同知识点 · 难度相当 · 未用过</Tag>}<QuestionView content={other.content} /><Button size="small" onClick={() => onReplace(other.id)} aria-label={`换成 ${other.no}`}>换成这题</Button></li>)}
              </ul>
            )}><Button type="text" size="small" icon={<SwapOutlined />} aria-label={`换掉 ${card?.no ?? ''}`} /></Popover>
          )}
          {onLock && (
            <Tooltip title={chosen.locked ? '取消锁定' : '锁定，重新组卷时保留'}>
              <Button type="text" size="small" aria-pressed={chosen.locked} aria-label={`锁定 ${card?.no ?? ''}`} icon={chosen.locked ? <LockOutlined /> : <UnlockOutlined />} onClick={() => onLock(!chosen.locked)} />
            </Tooltip>
          )}
        </Space>
      </div>
      {card && <QuestionView content={card.content} answer="folded" />}
    </li>
  )
}

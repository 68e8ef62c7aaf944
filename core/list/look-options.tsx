import { CloseOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import type { Resource } from '../resource/define.ts'
import { groupKeys } from '../resource/groups.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import { formatRules, isWhole, MOST_RULES, needsValue, parseRules, ruleKeys, testsOf, TONES, valuesOf, type ColorRule, type RuleTone } from './color-rules.ts'
import { groupingOf, TABLE, type Look } from './look.ts'
import './looks.css'

export interface LookOptionsProps {
  resource: Resource
  look: Look
  /** Rules as the address keeps them. */
  colors: string | undefined
  onLook: (look: Look) => void
  onColors: (colors: string | undefined) => void
}

/** By what the table is grouped, and which records are coloured. */
export function LookOptions({ resource, look, colors, onLook, onColors }: LookOptionsProps) {
  const keys = groupKeys(resource)
  return (
    <div className="look-options">
      {keys.length > 0 && (
        <label className="look-group" htmlFor="look-group">
          <span>分组</span>
          <Select<string> id="look-group" className="wide" allowClear placeholder="不分组" value={look.kind === 'table' ? look.by?.key ?? null : null} showSearch={{ optionFilterProp: 'label' }}
            options={keys.map((key) => ({ value: key, label: fieldOf(resource, key).label }))} onChange={(key?: string) => onLook(key === undefined ? TABLE : { kind: 'table', by: groupingOf(resource, key) })} />
        </label>
      )}
      <ColorRules resource={resource} colors={colors} onColors={onColors} />
      <p className="note">保存为视图时，查看方式、分组和颜色一起保存</p>
    </div>
  )
}

/** Rules from the first to the last; the first that fits colours a record. */
function ColorRules({ resource, colors, onColors }: Pick<LookOptionsProps, 'resource' | 'colors' | 'onColors'>) {
  // One that is being made says too little to be kept.
  const [rules, setRules] = useState(() => parseRules(resource, colors))
  const keys = ruleKeys(resource)
  const put = (next: ColorRule[]) => {
    setRules(next)
    onColors(formatRules(next.filter(isWhole)))
  }
  const change = (place: number, part: Partial<ColorRule>) => put(rules.map((rule, at) => (at === place ? { ...rule, ...part } : rule)))
  const first = (key: string): Pick<ColorRule, 'key' | 'test' | 'value'> => ({ key, test: testsOf(resource, key)[0]?.test ?? 'empty', value: '' })
  const [begin] = keys
  if (begin === undefined) return null
  return (
    <fieldset className="color-rules">
      <legend>颜色</legend>
      {rules.map(({ key, test, value, tone }, place) => {
        const values = valuesOf(resource, key, test)
        return (
          <div key={place} className="color-rule">
            <Select<string> aria-label="字段" value={key} showSearch={{ optionFilterProp: 'label' }} options={keys.map((one) => ({ value: one, label: fieldOf(resource, one).label }))} onChange={(next) => change(place, first(next))} />
            <Select<ColorRule['test']> aria-label="条件" value={test} options={testsOf(resource, key).map((one) => ({ value: one.test, label: one.label }))} onChange={(next) => change(place, { test: next, value: '' })} />
            {!needsValue(test) ? <span /> : values
              ? <Select<string> aria-label="值" placeholder="请选择" value={value || null} popupMatchSelectWidth={false} showSearch={{ optionFilterProp: 'label' }} options={values} onChange={(next) => change(place, { value: next })} />
              : <Input aria-label="值" inputMode="decimal" maxLength={20} placeholder="数字" value={value} onChange={(event) => change(place, { value: event.target.value.trim() })} />}
            <Select<RuleTone> aria-label="颜色" value={tone} onChange={(next) => change(place, { tone: next })}
              options={Object.entries(TONES).map(([name, label]) => ({ value: name as RuleTone, label: <span className={`tone-word tone-${name}`}>{label}</span> }))} />
            <Button type="text" size="small" icon={<CloseOutlined />} aria-label={`去掉第 ${place + 1} 条颜色规则`} onClick={() => put(rules.filter((_rule, at) => at !== place))} />
          </div>
        )
      })}
      {rules.length < MOST_RULES && <Button size="small" icon={<PlusOutlined />} onClick={() => setRules([...rules, { ...first(begin), tone: 'error' }])}>添加规则</Button>}
    </fieldset>
  )
}

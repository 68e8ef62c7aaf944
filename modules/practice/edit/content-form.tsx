import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { Editor } from '@tiptap/react'
import { Button, Checkbox, Collapse, InputNumber, Radio, Segmented, Select, Tooltip } from 'antd'
import { useState } from 'react'
import { fittingLayout } from '../content/question-rules.ts'
import { BLANK_MATCHES, MANY_RULES, OPTION_LAYOUTS, optionLetter, TYPES, type Answer, type AnswerPart, type BlankAnswer, type Option, type QuestionContent, type QuestionType } from '../content/question.ts'
import { RichEditor, type Pasted } from '../../../core/rich-text/rich-editor.tsx'
import type { OpenNode } from '../../../core/rich-text/rich-nodes.tsx'
import { changeType, nextOptionId, startContent, syncBlanks, syncHoles } from './written.ts'

/** What every text of the form needs of the page around it. */
export interface FieldTools {
  onFocus: (editor: Editor, open: OpenNode) => void
  onOpenNode: OpenNode
  readHtml: (html: string, files: readonly File[]) => Promise<Pasted>
}

interface Props {
  content: QuestionContent
  onChange: (content: QuestionContent) => void
  tools: FieldTools
  /** Words before the names of its fields: 第 2 小题. */
  prefix?: string
  /** Options that all holes of the text around share. */
  pool?: readonly Option[]
  /** Kind of the text around, when this is a child. */
  within?: 5 | 6
  startHere?: boolean
}

const swapped = <Item,>(list: readonly Item[], at: number, to: number): Item[] => {
  const next = [...list]
  const [one] = next.splice(at, 1)
  if (one !== undefined) next.splice(to, 0, one)
  return next
}

/** Options with the right ones marked. Enter goes on to the next option and makes one behind the last. */
function OptionFields({ content, onChange, tools, prefix = '', asPool = false }: Props & { asPool?: boolean }) {
  const { options, answer } = content
  const [fresh, setFresh] = useState<string>()
  const change = (next: Option[]) => onChange({ ...content, options: next, option_layout: fittingLayout(next) })
  const isRight = (id: string) => (answer.k === 'one' ? answer.ok === id : answer.k === 'many' && answer.ok.includes(id))
  const mark = (id: string) => {
    if (answer.k === 'one') onChange({ ...content, answer: { k: 'one', ok: id } })
    if (answer.k === 'many') onChange({ ...content, answer: { ...answer, ok: answer.ok.includes(id) ? answer.ok.filter((one) => one !== id) : [...answer.ok, id] } })
  }
  const remove = (id: string) => {
    const kept = options.filter((option) => option.id !== id)
    const cleared: Answer = answer.k === 'one' && answer.ok === id ? { k: 'one', ok: null } : answer.k === 'many' ? { ...answer, ok: answer.ok.filter((one) => one !== id) } : answer
    onChange({ ...content, options: kept, answer: cleared, option_layout: fittingLayout(kept) })
  }
  const add = () => {
    const id = nextOptionId(options)
    setFresh(id)
    change([...options, { id, doc: null }])
  }
  return (
    <div className="edit-options" role="group" aria-label={`${prefix}选项`}>
      {options.map((option, index) => (
        <div key={option.id} className="edit-option" data-option={`${prefix}${option.id}`}>
          <span className="edit-letter">
            {asPool ? optionLetter(index) : content.type === 2 ? <Checkbox checked={isRight(option.id)} onChange={() => mark(option.id)} aria-label={`${prefix}选项 ${optionLetter(index)} 正确`}>{optionLetter(index)}</Checkbox>
              : <Radio checked={isRight(option.id)} onChange={() => mark(option.id)} aria-label={`${prefix}选项 ${optionLetter(index)} 正确`}>{optionLetter(index)}</Radio>}
          </span>
          <RichEditor label={`${prefix}选项 ${optionLetter(index)}`} value={option.doc} startHere={fresh === option.id} {...tools}
            onEnter={() => {
              const next = options[index + 1]
              if (next) document.querySelector<HTMLElement>(`[data-option="${prefix}${next.id}"] .rich-input`)?.focus()
              else if (options.length < 8) add()
            }}
            onChange={(doc) => change(options.map((one) => (one.id === option.id ? { ...one, doc } : one)))} />
          <span className="edit-option-tools">
            <Button size="small" type="text" icon={<ArrowUpOutlined />} disabled={index === 0} aria-label={`上移选项 ${optionLetter(index)}`} onClick={() => change(swapped(options, index, index - 1))} />
            <Button size="small" type="text" icon={<ArrowDownOutlined />} disabled={index === options.length - 1} aria-label={`下移选项 ${optionLetter(index)}`} onClick={() => change(swapped(options, index, index + 1))} />
            <Button size="small" type="text" danger icon={<DeleteOutlined />} aria-label={`删除选项 ${optionLetter(index)}`} onClick={() => remove(option.id)} />
          </span>
        </div>
      ))}
      <div className="edit-row">
        <Button size="small" icon={<PlusOutlined />} disabled={options.length >= (asPool ? 16 : 8)} onClick={add}>加选项</Button>
        {!asPool && <span>排列 <Segmented size="small" value={content.option_layout} onChange={(option_layout) => onChange({ ...content, option_layout })} options={[...OPTION_LAYOUTS]} /></span>}
        {answer.k === 'many' && <span>给分 <Select size="small" aria-label="给分规则" value={answer.rule} options={[...MANY_RULES]} onChange={(rule) => onChange({ ...content, answer: { ...answer, rule } })} popupMatchSelectWidth={false} /></span>}
      </div>
    </div>
  )
}

/** The answers of blanks: each has one place, and any number of spellings. */
function BlankFields({ content, onChange, tools, prefix = '' }: Props) {
  const { answer } = content
  if (answer.k !== 'blanks') return null
  const change = (id: string, part: Partial<BlankAnswer>) => onChange({ ...content, answer: { k: 'blanks', b: answer.b.map((blank) => (blank.id === id ? { ...blank, ...part } : blank)) } })
  if (answer.b.length === 0) return <p className="note">在题干中插入填空（Ctrl+K），这里会出现对应的答案。</p>
  return (
    <div className="edit-blanks" role="group" aria-label={`${prefix}各空答案`}>
      {answer.b.map((blank, index) => {
        const accept = blank.accept.length > 0 ? blank.accept : [null]
        return (
          <div key={blank.id} className="edit-blank">
            <span className="edit-letter">第 {index + 1} 空</span>
            <div>
              {accept.map((doc, place) => (
                <div key={place} className="edit-option">
                  <RichEditor label={`${prefix}第 ${index + 1} 空答案${place > 0 ? ` ${place + 1}` : ''}`} value={doc} placeholder={place === 0 ? '答案' : '或者'} {...tools}
                    onChange={(next) => change(blank.id, { accept: accept.flatMap((one, at) => (at === place ? next ?? [] : one ?? [])) })} />
                  {place > 0 && <Button size="small" type="text" danger icon={<DeleteOutlined />} aria-label={`删除第 ${index + 1} 空的第 ${place + 1} 个答案`} onClick={() => change(blank.id, { accept: blank.accept.filter((_one, at) => at !== place) })} />}
                </div>
              ))}
              <div className="edit-row">
                <Select size="small" aria-label="比较方式" value={blank.match} options={[...BLANK_MATCHES]} onChange={(match) => change(blank.id, { match })} popupMatchSelectWidth={false} />
                {blank.match === 'numeric' && <InputNumber size="small" min={0} step={0.01} prefix="误差 ±" aria-label="误差" value={blank.eps ?? null} onChange={(eps) => change(blank.id, { eps: eps ?? 0 })} />}
                <InputNumber size="small" min={0} max={300} step={0.5} suffix="分" aria-label={`第 ${index + 1} 空分值`} value={blank.score ?? null} onChange={(score) => {
                  const { score: _old, ...rest } = blank
                  onChange({ ...content, answer: { k: 'blanks', b: answer.b.map((one) => (one.id === blank.id ? { ...rest, ...(score !== null && { score }) } : one)) } })
                }} />
                <Checkbox checked={blank.group !== undefined} onChange={(event) => {
                  const { group: _old, ...rest } = blank
                  onChange({ ...content, answer: { k: 'blanks', b: answer.b.map((one) => (one.id === blank.id ? { ...rest, ...(event.target.checked && { group: 1 }) } : one)) } })
                }}>可与其他空互换</Checkbox>
                {blank.accept.length > 0 && blank.accept.length < 20 && <Button size="small" type="link" onClick={() => change(blank.id, { accept: [...blank.accept, { t: 'doc', v: 1, c: [{ t: 'p', c: [' '] }] }] })}>加一种写法</Button>}
              </div>
            </div>
          </div>
        )
      })}
    </div>
  )
}

/** The reference answer by parts, each with its points and, where wanted, its steps. */
function FreeFields({ content, onChange, tools, prefix = '' }: Props) {
  const { answer } = content
  if (answer.k !== 'free') return null
  const parts = answer.parts.length > 0 ? answer.parts : [{ no: 0, ref: null, steps: [] }]
  const write = (next: AnswerPart[]) => onChange({ ...content, answer: { k: 'free', parts: next } })
  const change = (at: number, part: Partial<AnswerPart>) => write(parts.map((one, index) => (index === at ? { ...one, ...part } : one)))
  const renumbered = (next: AnswerPart[]) => next.map((part, index) => ({ ...part, no: next.length > 1 ? index + 1 : 0 }))
  const points = (label: string, value: number | undefined, set: (score: number | undefined) => void) => (
    <InputNumber size="small" min={0} max={300} step={0.5} suffix="分" aria-label={label} value={value ?? null} onChange={(score) => set(score ?? undefined)} />
  )
  return (
    <div className="edit-parts" role="group" aria-label={`${prefix}参考答案`}>
      {parts.map((part, index) => (
        <div key={index} className="edit-part">
          <div className="edit-row">
            <span className="edit-letter">{parts.length > 1 ? `（${index + 1}）` : '答案'}</span>
            {points(`第 ${index + 1} 问分值`, part.score, (score) => {
              const { score: _old, ...rest } = part
              write(parts.map((one, at) => (at === index ? { ...rest, ...(score !== undefined && { score }) } : one)))
            })}
            <Button size="small" type="link" onClick={() => change(index, { steps: [...part.steps, { text: { t: 'doc', v: 1, c: [{ t: 'p', c: [' '] }] }, score: 1 }] })}>加评分步骤</Button>
            {parts.length > 1 && <Button size="small" type="text" danger icon={<DeleteOutlined />} aria-label={`删除第 ${index + 1} 问`} onClick={() => write(renumbered(parts.filter((_one, at) => at !== index)))} />}
          </div>
          <RichEditor label={`${prefix}第 ${index + 1} 问参考答案`} value={part.ref} placeholder="参考答案" {...tools} onChange={(ref) => change(index, { ref })} />
          {part.steps.map((step, place) => (
            <div key={place} className="edit-option edit-step">
              <RichEditor label={`${prefix}第 ${index + 1} 问第 ${place + 1} 步`} value={step.text} {...tools} onChange={(text) => { if (text) change(index, { steps: part.steps.map((one, at) => (at === place ? { ...one, text } : one)) }) }} />
              {points(`第 ${place + 1} 步分值`, step.score, (score) => change(index, { steps: part.steps.map((one, at) => (at === place ? { ...one, score: score ?? 0 } : one)) }))}
              <Button size="small" type="text" danger icon={<DeleteOutlined />} aria-label={`删除第 ${place + 1} 步`} onClick={() => change(index, { steps: part.steps.filter((_one, at) => at !== place) })} />
            </div>
          ))}
        </div>
      ))}
      <Button size="small" icon={<PlusOutlined />} onClick={() => write(renumbered([...parts, { no: parts.length + 1, ref: null, steps: [] }]))}>加一问</Button>
    </div>
  )
}

const CHILD_TYPES: Readonly<Record<5 | 6, readonly QuestionType[]>> = { 5: [1, 3], 6: [1, 2, 3, 4] }

/** Questions of a text: those of its holes, or those after it. */
function ChildFields({ content, onChange, tools }: Props) {
  const within = content.type === 5 ? 5 : 6
  const { children } = content
  const write = (next: QuestionContent[]) => onChange({ ...content, children: next })
  return (
    <div className="edit-children">
      {children.map((child, index) => (
        <section key={index} className="edit-child" aria-label={`第 ${index + 1} 小题`}>
          <div className="edit-row">
            <b>第 {index + 1} 小题</b>
            <Segmented size="small" value={child.type} onChange={(type) => write(children.map((one, at) => (at === index ? changeType(one, type) : one)))} options={TYPES.filter(({ value }) => CHILD_TYPES[within].includes(value))} />
            <InputNumber size="small" min={0} max={300} step={0.5} suffix="分" aria-label={`第 ${index + 1} 小题分值`} value={child.score} onChange={(score) => write(children.map((one, at) => (at === index ? { ...one, score } : one)))} />
            <Button size="small" type="text" icon={<ArrowUpOutlined />} disabled={index === 0} aria-label={`上移第 ${index + 1} 小题`} onClick={() => write(swapped(children, index, index - 1))} />
            <Button size="small" type="text" danger icon={<DeleteOutlined />} aria-label={`删除第 ${index + 1} 小题`} onClick={() => write(children.filter((_one, at) => at !== index))} />
          </div>
          <ContentForm content={child} tools={tools} within={within} pool={content.options} prefix={`第 ${index + 1} 小题`} onChange={(next) => write(children.map((one, at) => (at === index ? next : one)))} />
        </section>
      ))}
      {within === 6 && <Button icon={<PlusOutlined />} onClick={() => write([...children, startContent(children.at(-1)?.type ?? 1)])}>加小题</Button>}
      {within === 5 && children.length === 0 && <p className="note">在短文中插入设空（Ctrl+H），这里会出现对应的小题。</p>}
    </div>
  )
}

/** Which of a shared pool's options is right for a hole. */
function PoolChoice({ content, onChange, pool = [], prefix = '' }: Props) {
  const { answer } = content
  return (
    <Radio.Group aria-label={`${prefix}正确选项`} value={answer.k === 'one' ? answer.ok : null} onChange={(event) => onChange({ ...content, answer: { k: 'one', ok: String(event.target.value) } })}
      options={pool.map((option, index) => ({ value: option.id, label: optionLetter(index) }))} />
  )
}

const ANALYSIS = [['solution', '详解'], ['hint', '思路'], ['comment', '点评'], ['pitfall', '易错']] as const

/** All texts of a question, by its type (domain 3.3); a question of a text is the same form once more. */
export function ContentForm({ content, onChange, tools, prefix = '', pool = [], within, startHere = false }: Props) {
  const sharedPool = within === 5 && pool.length > 0 && content.type === 1
  const hasStem = within !== 5
  const stemLabel = content.type >= 5 ? '短文' : '题干'
  const own: Props = { content, onChange, tools, prefix, pool, ...(within && { within }) }
  const analysis = (key: (typeof ANALYSIS)[number][0], label: string) => (
    <RichEditor label={`${prefix}${label}`} value={content.analysis[key]} placeholder={label} {...tools} onChange={(doc) => onChange({ ...content, analysis: { ...content.analysis, [key]: doc } })} />
  )
  return (
    <>
      {hasStem && (
        <div className="edit-field">
          <span className="edit-label">{stemLabel}</span>
          <RichEditor label={`${prefix}${stemLabel}`} value={content.stem} placeholder={content.type >= 5 ? '输入或粘贴短文' : '输入或粘贴题干'} startHere={startHere} {...tools} onChange={(stem) => onChange(syncHoles(syncBlanks({ ...content, stem })))} />
        </div>
      )}
      {(content.type === 1 || content.type === 2) && (
        <div className="edit-field"><span className="edit-label">选项</span>{sharedPool ? <PoolChoice {...own} /> : <OptionFields {...own} />}</div>
      )}
      {content.type === 3 && <div className="edit-field"><span className="edit-label">答案</span><BlankFields {...own} /></div>}
      {content.type === 4 && <div className="edit-field"><span className="edit-label">答案</span><FreeFields {...own} /></div>}
      {content.type === 5 && (
        <div className="edit-field"><span className="edit-label"><Tooltip title="七选五等各空共用的选项；完形填空留空">共用选项</Tooltip></span><OptionFields {...own} asPool /></div>
      )}
      {content.type >= 5 && <div className="edit-field"><span className="edit-label">小题</span><ChildFields {...own} /></div>}
      {within ? <Collapse size="small" ghost items={[{ key: 'analysis', label: '解析', children: analysis('solution', '详解') }]} />
        : ANALYSIS.map(([key, label]) => <div key={key} className="edit-field"><span className="edit-label">{label}</span>{analysis(key, label)}</div>)}
    </>
  )
}

import { Alert, App, Button, Drawer, InputNumber, Modal, Segmented, Select, Space } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { CallError } from '../../../core/endpoint/wire.ts'
import { EXAM_REGIONS } from '../../reference/module.ts'
import { DIFFICULTIES } from '../bank/practice.ts'
import { TYPES, type Question, type QuestionType } from '../content/question.ts'
import { problemsOf, problemText } from '../content/question-rules.ts'
import { ContentEditing } from '../edit/content-editing.tsx'
import { Shortcuts } from '../edit/shortcuts.tsx'
import { useKeys } from '../ui/use-keys.tsx'
import { changeType, tidy } from '../edit/written.ts'
import { useCategories, useSubjects } from '../ui/use-practice.tsx'
import { mendImportItem, type ImportBatch, type ImportItem } from './calls.ts'
import '../edit/editor.css'

interface Props {
  batch: ImportBatch
  item: ImportItem
  question: Question
  onClose: () => void
  onMended: (item: ImportItem) => void
}

const YEARS = Array.from({ length: 40 }, (_, index) => new Date().getFullYear() + 1 - index).map((year) => ({ value: year, label: String(year) }))

/** A question that was read wrongly, in the form of the editor; what is still wrong with it is said while it is mended. */
export function MendDrawer({ batch, item, question: start, onClose, onMended }: Props) {
  const { message, modal } = App.useApp()
  const subjects = useSubjects(batch.level as 0)
  const [question, setQuestion] = useState(start)
  const [busy, setBusy] = useState(false)
  const [keys, setKeys] = useState(false)
  const [refused, setRefused] = useState<string>()
  const change = (part: Partial<Question>) => setQuestion((old) => ({ ...old, ...part }))
  const subjectId = subjects.find(({ name }) => name === question.subject)?.id ?? batch.subject_id ?? undefined
  const categories = useCategories(subjectId).filter(({ type }) => type === question.type)
  const problems = problemsOf(question).map(problemText)
  const dirty = question !== start
  const save = async () => {
    // What is being typed this moment is read before it is sent.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    setBusy(true)
    setRefused(undefined)
    try {
      const mended = await call(mendImportItem, { question: { ...question, ...tidy(question) } }, { params: { id: batch.id, ord: item.ord }, keepEmpty: true, quiet: true })
      void message.success(mended.state === 'problem' ? '已修改，还有问题' : '已修改')
      onMended(mended)
    } catch (error) {
      setRefused(error instanceof CallError ? Object.values(error.fields)[0] ?? error.message : '修改失败，请重试')
    } finally {
      setBusy(false)
    }
  }
  const close = () => {
    if (!dirty) return onClose()
    modal.confirm({ title: '放弃修改？', content: '这道题的修改还没有保存。', okText: '放弃', okButtonProps: { danger: true }, onOk: onClose })
  }
  useKeys({ 'ctrl+s': () => void save(), f1: () => setKeys(true) })
  return (
    <Drawer open onClose={close} title={`修改 ${item.place}`} size="min(960px, 100vw)" extra={<Space><Button onClick={close}>取消</Button><Button type="primary" loading={busy} onClick={() => void save()}>保存修改</Button></Space>}>
      <div className="edit-main">
        <div className="edit-facts">
          <div className="edit-row">
            <div className="edit-fact"><span>学科</span><Select aria-label="学科" className="edit-subject" allowClear placeholder={batch.subject_id === null ? '未识别' : '按文件的学科'} value={subjects.some(({ name }) => name === question.subject) ? question.subject : null} options={subjects.map(({ name }) => ({ value: name, label: name }))} onChange={(subject?: string | null) => change({ subject: subject ?? null, category: null })} /></div>
            <Segmented<QuestionType> aria-label="题型" value={question.type} options={TYPES.map(({ value, label }) => ({ value, label }))} onChange={(type) => change({ ...changeType(question, type), category: null })} />
          </div>
          <div className="edit-row">
            {categories.length > 0 && <div className="edit-fact"><span>分类</span><Select aria-label="题型分类" className="import-subject" allowClear placeholder="未填" value={question.category} options={categories.map(({ name }) => ({ value: name, label: name }))} onChange={(category?: string | null) => change({ category: category ?? null })} /></div>}
            <div className="edit-fact"><span>难度</span><Select aria-label="难度" className="edit-subject" allowClear placeholder="未定" value={question.difficulty} options={DIFFICULTIES.map(({ value, label }) => ({ value: value as number, label }))} onChange={(difficulty?: number | null) => change({ difficulty: difficulty ?? null })} /></div>
            <div className="edit-fact"><span>分值</span><InputNumber aria-label="分值" min={0} max={300} step={0.5} value={question.score} onChange={(score) => change({ score })} /></div>
            <div className="edit-fact"><span>年份</span><Select aria-label="真题年份" className="import-subject" mode="multiple" placeholder="未填" value={question.source_years} options={YEARS} onChange={(source_years: number[]) => change({ source_years })} /></div>
            <div className="edit-fact"><span>卷区</span><Select aria-label="卷区" className="import-subject" allowClear showSearch placeholder="未填" value={question.exam_region} options={EXAM_REGIONS.map(({ name }) => ({ value: name, label: name }))} onChange={(region?: string | null) => change({ exam_region: region ?? null })} /></div>
          </div>
        </div>
        <ContentEditing content={question} round={0} startHere={false} onChange={(content) => change(content)} onShortcuts={() => setKeys(true)}>
          {refused && <Alert type="error" showIcon title={refused} />}
          {problems.length > 0 && <Alert type="warning" showIcon title="还有问题" description={<ul className="reasons">{problems.map((text) => <li key={text}>{text}</li>)}</ul>} />}
        </ContentEditing>
      </div>
      <Modal open={keys} title="快捷键" footer={null} onCancel={() => setKeys(false)}><Shortcuts /></Modal>
    </Drawer>
  )
}

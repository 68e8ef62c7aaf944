import { DownloadOutlined, FileSearchOutlined, UploadOutlined } from '@ant-design/icons'
import { Alert, App, Button, Checkbox, Form, Modal, Space, Tag, Upload, type FormInstance } from 'antd'
import { useState } from 'react'
import { call, request } from '../../../core/endpoint/call.tsx'
import { useAttempt } from '../../../core/form/use-attempt.tsx'
import { PaperSelect } from '../editor/picker.tsx'
import { sectionsSchema } from '../smart/rule.ts'
import type { SmartDraft } from '../smart/smart-form.tsx'
import { paperSpec, readSpecSheet, writeSpecSheet } from './calls.ts'
import { totalsOf } from './spec.ts'

interface Props {
  form: FormInstance<SmartDraft>
  subjectId: number | undefined
}

/** Brings the specification table of a smart paper in from a workbook or a paper, takes it out, and shows its totals. */
export function SpecTools({ form, subjectId }: Props) {
  const { message } = App.useApp()
  const sections = Form.useWatch('sections', form)
  const excluded = Form.useWatch('exclude_ids', form)
  const { busy, attempt } = useAttempt()
  const [problems, setProblems] = useState<{ row: number; message: string }[]>([])
  const [recovering, setRecovering] = useState(false)
  const read = (file: File) => attempt(async () => {
    const body = new FormData()
    body.append('file', file)
    const { id } = await request<{ id: string }>('POST', '/daoyuan/api/end/files?kind=file', body, { quiet: true })
    const found = await call(readSpecSheet, { subject_id: subjectId ?? 0, file_id: id }, { quiet: true })
    setProblems(found.problems)
    if (found.problems.length > 0) return
    form.setFieldsValue({ sections: found.sections })
    void message.success(`已导入 ${found.sections.length} 个大题`)
  })
  const write = () => attempt(async () => {
    const draft = (form.getFieldValue('sections') as SmartDraft['sections']).map(({ rows = [], ...section }) => ({ ...section, rows }))
    const checked = sectionsSchema.safeParse(draft)
    if (!checked.success) throw new Error(checked.error.issues[0]?.message ?? '请先填好大题')
    const name = (form.getFieldValue('name') as string | undefined)?.trim()
    const { url } = await call(writeSpecSheet, { subject_id: subjectId ?? 0, sections: checked.data, ...(name && { name }) }, { quiet: true })
    window.location.assign(url)
  })
  const { count, points } = totalsOf(sections ?? [])
  return (
    <div className="smart-spec">
      <div className="smart-spec-bar">
        <span aria-live="polite">双向细目表：共 {count} 题，{points} 分</span>
        <Space wrap size={4}>
          <Upload accept=".xlsx,.csv" maxCount={1} showUploadList={false} disabled={busy || subjectId === undefined} beforeUpload={(file) => { void read(file); return false }}>
            <Button size="small" icon={<UploadOutlined />} loading={busy} disabled={subjectId === undefined}>导入</Button>
          </Upload>
          <Button size="small" icon={<DownloadOutlined />} disabled={busy || subjectId === undefined} onClick={() => void write()}>导出</Button>
          <Button size="small" icon={<FileSearchOutlined />} disabled={subjectId === undefined} onClick={() => setRecovering(true)}>从试卷还原</Button>
        </Space>
      </div>
      {excluded && excluded.length > 0 && <Tag closable onClose={() => form.setFieldsValue({ exclude_ids: [] })}>平行卷：不选原卷的 {excluded.length} 题</Tag>}
      {problems.length > 0 && (
        <Alert type="error" showIcon closable={{ onClose: () => setProblems([]) }} title={`${problems.length} 处问题，请改好后重新导入`}
          description={<ul className="reasons">{problems.slice(0, 20).map(({ row, message: words }) => <li key={`${row} ${words}`}>第 {row} 行：{words}</li>)}</ul>} />
      )}
      {recovering && subjectId !== undefined && <Recover subjectId={subjectId} form={form} onClose={() => setRecovering(false)} />}
    </div>
  )
}

/** Recovers the table of a paper, for one like it. */
function Recover({ subjectId, form, onClose }: { subjectId: number; form: FormInstance<SmartDraft>; onClose: () => void }) {
  const [paper, setPaper] = useState<number>()
  const [parallel, setParallel] = useState(true)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const recover = async () => {
    setBusy(true)
    try {
      const { name, sections, coef, minutes, practice_ids } = await call(paperSpec, undefined, { params: { id: paper ?? 0 }, quiet: true })
      const checked = sectionsSchema.safeParse(sections)
      if (!checked.success) throw new Error(`这份试卷不能还原：${checked.error.issues[0]?.message ?? ''}`)
      form.setFieldsValue({
        sections: checked.data as SmartDraft['sections'], coef, minutes, exclude_ids: parallel ? practice_ids : [],
        ...(!form.getFieldValue('name') && { name: `${name}（平行卷）`.slice(0, 60) }),
      })
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : '还原失败')
      setBusy(false)
    }
  }
  return (
    <Modal open title="从试卷还原细目表" okText="还原" okButtonProps={{ disabled: paper === undefined }} confirmLoading={busy} onOk={() => void recover()} onCancel={onClose}>
      <Space orientation="vertical" className="paper-wide">
        <PaperSelect subjectId={subjectId} value={paper} onChange={setPaper} />
        <Checkbox checked={parallel} onChange={({ target }) => setParallel(target.checked)}>组平行卷：不选原卷的试题</Checkbox>
        <span className="paper-faint">大题、分值、知识点、难度和认知层次按原卷还原，可再修改。</span>
        {problem && <Alert type="error" showIcon title={problem} role="alert" />}
      </Space>
    </Modal>
  )
}

import { ArrowLeftOutlined, UndoOutlined } from '@ant-design/icons'
import { Alert, Button, Result, Select, Skeleton, Space, Tag } from 'antd'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useTabTitle } from '../../../core/shell/tabs-context.tsx'
import { itemsOf, totalScore } from '../compose/body.ts'
import { pickInto } from '../compose/pick.ts'
import { Picker } from './picker.tsx'
import { Saving } from './saving.tsx'
import { usePaper, type PaperEditing } from './use-paper.tsx'
import './paper.css'

/** By the kind of the question. */
const BY_KIND = ''

/** Adds questions to one paper, with the whole window for the bank. */
export default function AddPracticeScreen() {
  const id = Number(useParams()['id'])
  const { editing, error, reload } = usePaper(id)
  useTabTitle(editing && `${editing.content.name} · 添加试题`)
  if (editing) return <AddPractice key={id} editing={editing} />
  if (error) return <Result status="warning" title={error.message} extra={<Button onClick={reload}>重试</Button>} />
  return <Skeleton active paragraph={{ rows: 12 }} />
}

function AddPractice({ editing }: { editing: PaperEditing }) {
  const { content, body, change } = editing
  const navigate = useNavigate()
  const [target, setTarget] = useState(BY_KIND)
  const items = itemsOf(body)
  return (
    <div className="paper-editor">
      <header className="paper-head">
        <div>
          <h1>{content.name} · 添加试题</h1>
          <Space size={8} wrap>
            <Tag>{content.subject_name}</Tag>
            <span aria-live="polite">{items.length} 题 · {totalScore(body)} 分</span>
            {content.can_edit && <Saving editing={editing} />}
          </Space>
        </div>
        <Space wrap>
          {content.can_edit && (
            <>
              <Select value={target} onChange={setTarget} aria-label="加入的大题" popupMatchSelectWidth={false}
                options={[{ value: BY_KIND, label: '按题型归入大题' }, ...body.sections.map(({ key, name }) => ({ value: key, label: `加入「${name}」` }))]} />
              <Button icon={<UndoOutlined />} disabled={!editing.undo} onClick={editing.undo}>撤销</Button>
            </>
          )}
          <Button icon={<ArrowLeftOutlined />} onClick={() => void navigate(content.places.detail)}>返回试卷</Button>
        </Space>
      </header>
      {content.read_only
        ? <Alert type="info" showIcon title={content.read_only} />
        : (
          <main className="paper-sheet">
            <Picker subjectId={content.subject_id} level={content.level} paperId={content.id} taken={new Set(items.map(({ practice_id }) => practice_id))} replacing={undefined}
              onPick={(card) => change(pickInto(body, card, target), [card])} onCancelReplace={() => undefined} />
          </main>
        )}
    </div>
  )
}

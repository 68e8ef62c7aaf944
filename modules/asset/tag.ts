import { computed } from '../../core/field/json.ts'
import type { Target } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { defineResource, itemsTotal } from '../../core/resource/define.ts'
import { mergedInto, treeFields } from '../../core/tree/fields.ts'
import { screenId } from '../screens.ts'

const END = '/material/api/end'

/** spec 3: tags of the library form one tree; at most four levels, as folders that people upload have them. */
export const materialTag = defineResource({
  name: 'material_tag',
  label: '素材标签',
  grant: screenId('/material/tag'),
  api: { list: `${END}/labels`, item: `${END}/labels`, reply: itemsTotal },
  fields: {
    ...treeFields('上级标签', (): Target => materialTag, { createOnly: true }),
    name: text('标签名称', { required: true, max: 30, search: true }),
    remark: longText('说明', { max: 200 }),
    merged_into: mergedInto((): Target => materialTag),
    asset_count: computed('素材数'),
  },
  list: { columns: ['name', 'parent_id', 'asset_count', 'updated_at', 'id', 'remark'], filters: ['parent_id'], sort: 'id' },
  form: [{ fields: ['parent_id', 'name', 'remark'] }],
  indexes: [['path']],
  tree: { levels: 4, shows: ['asset_count'], facts: ['remark'] },
})

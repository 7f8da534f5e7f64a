'use strict';
// Draws the report in the element `data` (docs/Tools.md describes it). Names come
// from programs and are only ever set as text.

const report = JSON.parse(document.getElementById('data').textContent);
const plans = report.plans;
const isPair = plans.length > 1;

// --- Elements ---------------------------------------------------------------

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) node.setAttribute(key, value);
  for (const child of children.flat())
    if (child !== undefined && child !== null) node.append(child);
  return node;
}
const html = (tag, attributes = {}, ...children) =>
    fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) =>
    fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
const percent = part => `${+(100 * part).toFixed(4)}%`;

// --- Numbers as people read them ---------------------------------------------

const exact = value => value.toLocaleString('en-US');
const exactBytes = value => `${exact(value)} bytes`;
const count = (number, thing) => `${number} ${thing}${number === 1 ? '' : 's'}`;
function bytes(value) {
  if (value < 1024) return `${value} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = -1;
  for (; value >= 1024 && unit + 1 < units.length; ++unit) value /= 1024;
  return `${value.toFixed(1)} ${units[unit]}`;
}
function microseconds(value) {
  return value < 1000 ? `${value.toFixed(1)} us` : `${(value / 1000).toFixed(2)} ms`;
}
// [0, 1, 2, 5] as "0\u20132, 5" and [0, 4, 8, 12] as "0, 4 \u2026 12".
function ranges(numbers) {
  const parts = [];
  for (let i = 0; i < numbers.length;) {
    const step = numbers[i + 1] - numbers[i];
    let end = i + 1;
    while (end < numbers.length && numbers[end] - numbers[end - 1] === step) ++end;
    const [first, last] = [numbers[i], numbers[end - 1]];
    if (step === 1) parts.push(`${first}\u2013${last}`);
    else if (end - i > 3) parts.push(`${first}, ${numbers[i + 1]} \u2026 ${last}`);
    else parts.push(first), end = i + 1;
    i = end;
  }
  return parts.join(', ');
}
const rankText = ranks => `${ranks.length > 1 ? 'ranks' : 'rank'} ${ranges(ranks)}`;

// --- Tables -------------------------------------------------------------------

// A cell has the text it shows, what it is sorted by, and maybe a title and a class.
const cell = (text, sort = text, title, kind) => ({text, sort, title, kind});
const bytesCell = value =>
    value === undefined ? cell('\u2013', -1) : cell(bytes(value), value, exactBytes(value));

// What became of a number between the two plans.
function changeCell(before, after) {
  if (before === after) return cell('', 0);
  if (!before || !after)
    return cell(before ? 'none now' : 'new', before ? -1 : 1e9, '', before ? 'less' : 'more');
  const ratio = after / before;
  const text = ratio >= 10 ? `\u00d7 ${Math.round(ratio)}`
                           : `${ratio > 1 ? '+' : '\u2212'}${Math.abs(100 * (ratio - 1)).toFixed(1)} %`;
  return cell(text, ratio - 1, '', ratio > 1 ? 'more' : 'less');
}

// `columns` are names; those of `left` are texts. Rows are lists of cells, the last
// `sums` of them sums; a click on a name sorts. `groups` are names over columns, as
// [name, number of columns].
function table(columns, rows, {left = [0], sums = 0, sortable = true, groups = []} = {}) {
  const body = html('tbody');
  const lines = rows.map((cells, at) => {
    const line = html('tr', {class: at >= rows.length - sums ? 'sum' : undefined}, cells.map((c, i) =>
      html('td', {class: [left.includes(i) ? 'left' : '', c.kind || ''].join(' ').trim() || undefined,
                  title: c.title || undefined}, c.text)));
    return {line, cells};
  });
  body.append(...lines.map(l => l.line));
  const heads = columns.map((name, i) => {
    const head = html('th', {class: left.includes(i) ? 'left' : undefined, scope: 'col'}, name);
    if (!sortable || !name) return head;
    const button = html('button', {type: 'button', title: 'sort'}, name);
    button.addEventListener('click', () => {
      const up = head.getAttribute('aria-sort') !== (left.includes(i) ? 'ascending' : 'descending')
                     ? left.includes(i) : !left.includes(i);
      heads.forEach(h => h.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const key = l => l.cells[i].sort;
      const order = [...lines].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (up ? 1 : -1));
      body.append(...order.map(l => l.line));
    });
    head.replaceChildren(button);
    return head;
  });
  const over = groups.length ? html('tr', {class: 'over'}, groups.map(([name, span]) =>
    html('th', {colspan: span, scope: 'colgroup'}, name))) : null;
  return html('div', {class: 'scroll'}, html('table', {}, html('thead', {}, over, html('tr', {}, heads)), body));
}

const planColumns = () => [...plans.map(p => p.title), ...(isPair ? ['difference'] : [])];
// Cells of one number per plan.
function compare(values, show = bytesCell) {
  const cells = values.map(show);
  if (isPair) cells.push(changeCell(values[0] || 0, values[1] || 0));
  return cells;
}

function legend(entries) {
  return html('div', {class: 'legend'}, entries.map(([name, paint]) =>
    html('span', {}, html('i', {style: `background:${paint}`}), name)));
}

// --- Memory --------------------------------------------------------------------

const hatch = 'repeating-linear-gradient(45deg,var(--faint) 0 1.5px,transparent 1.5px 4px)';
const memoryParts = [
  ['weights', 'var(--weights)'], ['state', 'var(--state)'], ['padding', hatch],
  ['arena', 'var(--arena)'], ['workspace', 'var(--workspace)']];

// Ranks that hold the same amounts, as [ranks, {part: bytes}].
function rankGroups(plan) {
  const groups = new Map();
  const m = plan.memory;
  plan.ranks.forEach((rank, i) => {
    const key = `${rank.weight_bytes} ${rank.state_bytes}`;
    if (!groups.has(key)) {
      const stored = rank.weight_bytes + rank.state_bytes;
      groups.set(key, {ranks: [], parts: {
        weights: rank.weight_bytes, state: rank.state_bytes,
        padding: m.weight_bytes_per_rank + m.state_bytes_per_rank - stored,
        arena: m.arena_bytes_per_rank, workspace: m.workspace_bytes_per_rank}});
    }
    groups.get(key).ranks.push(i);
  });
  return [...groups.values()];
}

function memoryPicture(plan, scale) {
  const groups = rankGroups(plan), rowHeight = 44, barHeight = 22;
  const picture = svg('svg', {class: 'memory', width: '100%', height: groups.length * rowHeight + 4, role: 'img',
                              'aria-label': `memory of the ranks under ${plan.title}`});
  groups.forEach(({ranks, parts}, row) => {
    const y = row * rowHeight + 18;
    const name = ranks.length === plan.ranks.length ? (ranks.length > 1 ? 'every rank' : 'the rank') : rankText(ranks);
    picture.append(svg('text', {x: 0, y: y - 5}, name),
                   svg('rect', {x: 0, y, width: '100%', height: barHeight, rx: 3, fill: 'var(--track)'}));
    let at = 0;
    for (const [part, paint] of memoryParts) {
      const value = parts[part];
      if (!value) continue;
      picture.append(svg('rect', {
        class: `part ${part}`, 'data-bytes': value, x: percent(at / scale), y, width: percent(value / scale),
        height: barHeight, fill: part === 'padding' ? 'url(#padding)' : paint},
        svg('title', {}, `${name}, ${part}: ${bytes(value)} (${exactBytes(value)})`)));
      at += value;
    }
  });
  const limit = plan.memory.limit_bytes_per_rank;
  if (limit !== null && limit <= scale)
    picture.append(svg('line', {class: 'limit', x1: percent(limit / scale), x2: percent(limit / scale), y1: 10,
                                y2: groups.length * rowHeight}, svg('title', {}, `limit ${bytes(limit)}`)));
  return picture;
}

function memorySection() {
  const most = Math.max(...plans.map(p => p.memory.peak_bytes_per_rank));
  const limits = plans.map(p => p.memory.limit_bytes_per_rank).filter(l => l !== null && l <= 2 * most);
  const scale = Math.max(1, most, ...limits);
  const hasPadding = plans.some(p => rankGroups(p).some(g => g.parts.padding));
  const cards = plans.map(plan => {
    const m = plan.memory, limit = m.limit_bytes_per_rank, share = m.peak_bytes_per_rank / Math.max(1, limit);
    const ranks = `per rank on ${count(plan.ranks.length, 'rank')}`;
    return html('div', {class: 'card plan'},
      html('h3', {}, plan.title),
      html('div', {},
           html('span', {class: 'total', title: exactBytes(m.peak_bytes_per_rank)}, bytes(m.peak_bytes_per_rank)),
           limit === null ? '' : html('span', {class: `badge ${m.fits ? 'yes' : 'no'}`}, m.fits ? 'fits' : 'does not fit')),
      limit === null
        ? html('p', {class: 'faint'}, ranks)
        : html('p', {class: 'faint', title: exactBytes(limit)},
               `${ranks}, ${(100 * share).toFixed(share < 0.1 ? 1 : 0)} % of the limit of ${bytes(limit)}`),
      memoryPicture(plan, scale));
  });
  const parts = {weights: 'weight', state: 'state', arena: 'arena', workspace: 'workspace', total: 'peak'};
  const rows = Object.entries(parts).map(([name, key]) => [cell(name), ...compare(plans.map(p => p.memory[`${key}_bytes_per_rank`]))]);
  return [
    html('h2', {}, 'Memory of a rank'),
    html('p', {class: 'faint'}, 'Every rank allocates the same: buffers are as large as the largest block' +
         (hasPadding ? ', and what a smaller block leaves is padding.' : '.')),
    legend(memoryParts.filter(([part]) => part !== 'padding' || hasPadding)),
    html('div', {class: 'pair'}, cards),
    html('div', {class: 'card'}, table(['part', ...planColumns()], rows, {sums: 1, sortable: false}))];
}

// --- Communication ---------------------------------------------------------------

// Plans for one program have the same entries.
const entryOf = (plan, name) => plan.entries.find(e => e.name === name);
const sum = (items, key) => items.reduce((total, item) => total + item[key], 0);
const kindText = kind => kind.replaceAll('_', '-');

// Places of all plans in one order, so that their bars stand below each other: one
// that the plans before lack follows the one that it follows in its own.
function placesOf(name) {
  const places = [];
  for (const plan of plans) {
    let at = -1;
    for (const place of entryOf(plan, name).places) {
      const known = places.findIndex(p => p.name === place.name);
      if (known >= 0) at = known;
      else places.splice(++at, 0, place);
    }
  }
  return places;
}

function bytesPicture(plan, name, places, most) {
  const layers = places.filter(p => p.layer !== null).length;
  const others = places.length - layers, every = Math.max(1, Math.ceil(layers / 12));
  const areNamed = others > 0 && others <= 8;
  const top = 16, height = 140, labels = areNamed ? 78 : 20;
  const entry = entryOf(plan, name);
  const picture = svg('svg', {class: 'bytes', width: '100%', height: height + labels, role: 'img',
                              'aria-label': `bytes of each place in ${name} under ${plan.title}`});
  for (const part of [0, 0.5, 1]) {
    const y = top + (height - top) * (1 - part);
    picture.append(svg('line', {class: 'grid', x1: 0, x2: '100%', y1: y, y2: y}),
                   svg('text', {x: 0, y: y - 3}, part ? bytes(Math.round(most * part)) : ''));
  }
  // A column on the left is for the numbers of the grid.
  const left = 0.13, step = Math.min(0.12, (1 - left) / places.length);
  let layerNumber = 0;
  places.forEach((place, i) => {
    const x = left + i * step, mine = entry.places.find(p => p.name === place.name);
    let y = height;
    for (const kind of mine?.kinds ?? []) {
      const size = (height - top) * kind.bytes_per_rank / most;
      y -= size;
      picture.append(svg('rect', {
        class: `part ${kind.kind}`, 'data-bytes': kind.bytes_per_rank, x: percent(x + 0.1 * step), y,
        width: percent(0.8 * step), height: size, fill: `var(--${kind.kind})`},
        svg('title', {}, `${place.name || 'unknown place'}: ` +
            `${kind.dynamic ? 'at least ' : ''}${kind.count} ${kindText(kind.kind)}, ` +
            `${bytes(kind.bytes_per_rank)} (${exactBytes(kind.bytes_per_rank)}), ${microseconds(kind.est_us)}`)));
    }
    const at = {x: percent(x + step / 2), 'text-anchor': 'middle', y: height + 14};
    if (place.layer !== null) {
      if (layerNumber++ % every === 0) picture.append(svg('text', at, `${place.layer}`));
    } else if (areNamed) {
      // A nested picture is moved by a share of the width, in which its text is turned.
      const short = place.name.split(place.name.includes(':') ? '/' : '.').pop() || '?';
      picture.append(svg('svg', {x: at.x, y: height + 12}, svg('text', {transform: 'rotate(-60)', 'text-anchor': 'end'},
        short.length > 16 ? `${short.slice(0, 15)}\u2026` : short, svg('title', {}, place.name))));
    }
  });
  return picture;
}

function entrySection(name) {
  const entries = plans.map(p => entryOf(p, name));
  const kinds = [...new Set(entries.flatMap(e => e.kinds.map(k => k.kind)))];
  const atLeast = isDynamic => isDynamic ? '\u2265 ' : '';
  const rows = [];
  for (const kind of [...kinds, null]) {
    const totals = entries.map(e => kind ? e.kinds.find(k => k.kind === kind) : {...e.totals, dynamic: e.dynamic});
    const cells = totals.flatMap(t => t && t.count
      ? [cell(atLeast(t.dynamic) + exact(t.count), t.count), bytesCell(t.bytes_per_rank),
         cell(microseconds(t.est_us), t.est_us)]
      : [cell('\u2013', 0), cell('\u2013', 0), cell('\u2013', 0)]);
    if (isPair) cells.push(changeCell(...totals.map(t => t?.bytes_per_rank ?? 0)));
    rows.push([cell(kind ? kindText(kind) : 'total'), ...cells]);
  }
  const columns = plans.flatMap(() => ['count', 'bytes', 'time']);
  const groups = isPair ? [['', 1], ...plans.map(p => [p.title, 3]), ['', 1]] : [];
  const places = placesOf(name);
  const most = Math.max(1, ...entries.flatMap(e => e.places.map(p => sum(p.kinds, 'bytes_per_rank'))));
  const charts = !places.length ? html('p', {class: 'faint'}, 'No rank talks to another.') : [
    legend(kinds.map(kind => [kindText(kind), `var(--${kind})`])),
    html('div', {class: 'pair'}, plans.map(plan => html('div', {},
      isPair ? html('div', {class: 'faint'}, plan.title) : '', bytesPicture(plan, name, places, most)))),
    places.some(p => p.layer !== null)
      ? html('p', {class: 'faint'}, 'Numbers are layers, from left to right as the program runs.') : ''];
  return html('div', {class: 'card entry', 'data-entry': name},
    html('h3', {}, `A call of ${name}`),
    table(['kind', ...columns, ...(isPair ? ['bytes differ'] : [])], rows, {sums: 1, sortable: false, groups}), charts);
}

function communicationSection() {
  return [
    html('h2', {}, 'Communication'),
    html('p', {class: 'faint'},
         'Bytes that the busiest rank of a group sends in one call, and an estimate of the time between threads ' +
         'of one machine. The bars show the bytes of each layer, and of each place outside of layers.'),
    ...plans[0].entries.map(e => entrySection(e.name))];
}

// --- Where values lie ---------------------------------------------------------------

// Ranks by the block that they hold: [{blocks, ranks}], those with an empty one apart.
function blockGroups(value) {
  const groups = new Map(), empty = [];
  value.blocks.forEach((blocks, rank) => {
    if (blocks.some(([, size]) => size === 0)) return empty.push(rank);
    const key = JSON.stringify(blocks);
    if (!groups.has(key)) groups.set(key, {blocks, ranks: []});
    groups.get(key).ranks.push(rank);
  });
  return {groups: [...groups.values()], empty};
}

// The dimensions that are drawn as rows and as columns: where both are nearest in size.
function splitDimensions(shape) {
  let best = Math.max(0, shape.length - 1), bestRatio = Infinity;
  for (let at = 1; at < shape.length; ++at) {
    const size = dims => dims.reduce((a, b) => a * Math.max(b, 1), 1);
    const ratio = Math.abs(Math.log(size(shape.slice(0, at)) / size(shape.slice(at))));
    if (ratio < bestRatio) [best, bestRatio] = [at, ratio];
  }
  const dims = shape.map((_, i) => i);
  return [dims.slice(0, best), dims.slice(best)];
}

// The part of a side that a block takes: blocks of the next dimension lie in those
// of the one before.
function interval(blocks, shape, dims) {
  let low = 0, high = 1;
  for (const d of dims) {
    const [offset, size] = blocks[d], length = (high - low) / Math.max(shape[d], 1);
    [low, high] = [low + length * offset, low + length * (offset + size)];
  }
  return [low, high];
}

function valuePicture(value) {
  const shape = value.global_shape, [rows, columns] = splitDimensions(shape);
  const size = dims => dims.reduce((a, d) => a * Math.max(shape[d], 1), 1);
  const side = 132, ratio = Math.min(4, Math.max(0.25, size(rows) / size(columns)));
  const width = ratio > 1 ? side / ratio : side, height = shape.length < 2 ? 28 : ratio > 1 ? side : side * ratio;
  const {groups, empty} = blockGroups(value);
  const isWhole = groups.length === 1 && !empty.length;
  const picture = svg('svg', {class: 'value', width, height, role: 'img',
                              'aria-label': `layout of ${value.name}, ${value.sharding}`});
  groups.forEach(({blocks, ranks}, i) => {
    const [top, bottom] = interval(blocks, shape, rows), [left, right] = interval(blocks, shape, columns);
    const w = (right - left) * width, h = (bottom - top) * height;
    const hue = (250 + 360 * i / groups.length) % 360;
    const text = blocks.map(([o, s]) => `${o}:${o + s}`).join(', ');
    const holders = isWhole ? (ranks.length > 1 ? 'every rank' : 'the rank') : rankText(ranks);
    picture.append(svg('rect', {
      class: 'part', 'data-ranks': ranks.join(' '), x: left * width, y: top * height, width: w, height: h,
      fill: isWhole ? 'var(--whole)' : `oklch(var(--light) 0.1 ${hue.toFixed(1)})`, stroke: 'var(--card)',
      'stroke-width': w > 4 && h > 4 ? 1.5 : 0},
      svg('title', {}, `${holders}: [${text}] of [${shape.join(', ')}]`)));
    const label = isWhole ? 'all' : ranges(ranks);
    if (w > 6.3 * label.length + 2 && h > 13)
      picture.append(svg('text', {
        class: 'inside', x: (left + right) / 2 * width, y: (top + bottom) / 2 * height}, label));
  });
  const sides = [[rows, '\u2193'], [columns, '\u2192']].filter(([dims]) => dims.length)
    .map(([dims, arrow]) => `${arrow} ${dims.map(d => shape[d]).join('\u00d7')}`).join('\u2002');
  return html('figure', {},
    picture,
    html('figcaption', {}, html('span', {class: 'code'}, value.sharding),
      html('div', {class: 'faint', title: exactBytes(value.bytes_per_rank)}, `${bytes(value.bytes_per_rank)} per rank`),
      html('div', {class: 'faint'}, sides || 'one element'),
      empty.length ? html('div', {class: 'more'},
        `${rankText(empty)} hold${empty.length > 1 ? '' : 's'} none of it`) : ''));
}

// The same value under each plan, as rows of one per plan.
function alignValues() {
  const rows = [];
  plans.forEach((plan, i) => {
    for (const value of plan.values) {
      const isSame = row => !row[i] && row.some(v => v && v.name === value.name && v.kind === value.kind &&
        v.entry === value.entry && `${v.layers}` === `${value.layers}`);
      let row = rows.find(isSame);
      if (!row) rows.push(row = plans.map(() => undefined));
      row[i] = value;
    }
  });
  const most = row => Math.max(...row.map(v => v ? v.bytes_per_rank : 0));
  return rows.sort((a, b) => most(b) - most(a));
}

const isDifferent = row => row.some(v => !v || JSON.stringify(v.blocks) !== JSON.stringify(row[0]?.blocks));

// Under plans that agree there is one picture.
function valueCard(row) {
  const any = row.find(v => v), differs = isDifferent(row);
  const facts = [`${any.dtype} [${any.global_shape.join(', ')}]`];
  if (any.entry) facts.unshift(`${any.kind} of ${any.entry}`);
  if (any.count > 1) facts.push(`layers ${ranges(any.layers)}`);
  const pictures = !differs ? valuePicture(any) : row.map((value, i) => html('div', {class: 'picture'},
    html('div', {class: 'faint'}, plans[i].title), value ? valuePicture(value) : '\u2013'));
  return html('div', {class: 'card value', 'data-differs': differs},
    html('h3', {class: 'code'}, any.name, any.count > 1 ? ` \u00d7${any.count}` : ''),
    html('div', {class: 'faint'}, facts.join(', ')), html('div', {class: 'pictures'}, pictures));
}

function valuesSection() {
  const rows = alignValues();
  const parts = [
    html('h2', {}, 'Where values lie'),
    html('p', {class: 'faint'},
         'Which block of each value a rank holds, to scale; the numbers are ranks, grey is held by all. Values of ' +
         'equal layout in all layers share a picture. Inner dimensions are drawn inside the blocks of outer ones.')];
  const differing = rows.filter(isDifferent).length;
  if (isPair && !differing) parts.push(html('p', {}, 'Both plans lay all of them out in the same way.'));
  if (isPair && differing) {
    const box = html('input', {type: 'checkbox'});
    box.addEventListener('change', () => document.body.classList.toggle('differing', box.checked));
    parts.push(html('label', {}, box, ` only those that differ, ${differing} of ${rows.length}`));
  }
  const groups = {Parameters: ['parameter'], States: ['state'], 'Inputs and results': ['input', 'result']};
  for (const [title, kinds] of Object.entries(groups)) {
    const cards = rows.filter(row => kinds.includes(row.find(v => v).kind)).map(valueCard);
    if (cards.length)
      parts.push(html('h3', {class: 'group'}, title), html('div', {class: 'values'}, cards));
  }
  const head = ['value', 'kind', 'count', 'dtype', 'shape'];
  const lines = rows.map(row => {
    const any = row.find(v => v);
    return [cell(any.name), cell(any.entry ? `${any.kind} of ${any.entry}` : any.kind),
            cell(exact(any.count), any.count), cell(any.dtype), cell(`[${any.global_shape.join(', ')}]`),
            ...row.map(v => cell(v ? v.sharding : '\u2013')), ...compare(row.map(v => v?.bytes_per_rank))];
  });
  const columns = [...head, ...plans.map(p => isPair ? `sharding, ${p.title}` : 'sharding'),
                   ...plans.map(p => isPair ? `bytes, ${p.title}` : 'bytes per rank'),
                   ...(isPair ? ['difference'] : [])];
  parts.push(
    html('details', {class: 'card'}, html('summary', {}, `All ${rows.length} values as a table`),
         table(columns, lines, {left: [0, 1, 3, 4, 5, ...(isPair ? [6] : [])]})));
  return parts;
}

// --- Details ---------------------------------------------------------------------------

function collectivesTable(entry) {
  return table(['place', 'kind', 'axes', 'elements', 'dtype', 'count', 'bytes each', 'time each', 'reason'],
    entry.collectives.map(c => [
      cell(c.loc || 'unknown'), cell(kindText(c.kind)), cell(c.axes.join(', ')), cell(exact(c.elements), c.elements),
      cell(c.dtype), cell((c.dynamic ? '\u2265 ' : '') + exact(c.count), c.count), bytesCell(c.bytes_per_rank),
      cell(microseconds(c.est_us), c.est_us), cell(c.reason, c.reason, '', 'wide')]), {left: [0, 1, 2, 4, 8]});
}

function buffersTable(entry) {
  return table(['place in the program', 'count', 'bytes each'],
    entry.arena_buffers.map(b => [cell(b.name || 'unknown'), cell(exact(b.count), b.count), bytesCell(b.bytes)]));
}

function detailsSection() {
  const parts = [html('h2', {}, 'Details')];
  for (const plan of plans)
    for (const entry of plan.entries) {
      const where = isPair ? `${plan.title}, ${entry.name}` : entry.name;
      const rows = entry.collectives;
      parts.push(
        html('details', {class: 'card'}, html('summary', {}, `${where}: ${count(rows.length, 'collective')}`),
             rows.length ? collectivesTable(entry) : ''),
        html('details', {class: 'card'},
             html('summary', {}, `${where}: buffers in the arena of ${bytes(entry.arena_bytes)}`),
             html('p', {class: 'faint'}, 'Buffers that are not alive at the same time share a place.'),
             buffersTable(entry)));
    }
  return parts;
}

// --- The page ------------------------------------------------------------------------------

document.title = `${report.program} \u2013 tp report`;
document.getElementById('main').append(
  svg('svg', {width: 0, height: 0, style: 'position:absolute', 'aria-hidden': 'true'},
    svg('pattern', {id: 'padding', width: 4, height: 4, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)'},
      svg('rect', {width: 1.5, height: 4, fill: 'var(--faint)'}))),
  html('h1', {}, report.program),
  html('p', {class: 'faint'}, `${plans.map(p => p.title).join(' beside ')}. Limit of a rank: ${report.limit_source}.`),
  ...memorySection(), ...communicationSection(), ...valuesSection(), ...detailsSection());

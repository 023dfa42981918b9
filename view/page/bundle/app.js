var ye, gr, Ju, fn, Pl, wo, $r, $o, _r, Ll, Cl, Qu,
    Ns = Symbol.for('pv'), yo = {}, vo = [], Zu = /^m(i|n|o|s|text|space)$/, Ol = Array.isArray,
    Nl = vo.slice, An = Object.assign;
function Tn(e) { e && e.parentNode && e.remove() }
function Dl(e, t, n) {
  var s, o, l, i = {}, r = arguments.length;
  for (l in t)
    l == 'key' ? s = t[l] : l == 'ref' && typeof e != 'function' ? o = t[l] : i[l] = t[l];
  return r > 2 && (i.children = r > 3 ? Nl.call(arguments, 2) : n), Os(e, i, s, o, null)
}
function Os(e, t, n, s, o) {
  var l = {
    type: e,
    props: t,
    key: n,
    ref: s,
    __k: null,
    __: null,
    __b: 0,
    __e: null,
    __c: null,
    constructor: Ns,
    __v: o || ++gr,
    __i: -1,
    __u: 0
  };
  return !o && ye.vnode && ye.vnode(l), l
}
function bo(e) { return e.children }
function os(e, t) { this.props = e, this.context = t, this.__g = 0 }
function hn(e, t) {
  if (t == null) return e.__ && hn(e.__, e.__i + 1);
  for (var n; t < e.__k.length; t++)
    if ((n = e.__k[t]) && n.__e) return n.__e;
  return typeof e.type != 'function' || e.props.__P ? null : hn(e)
}
function Xu(e) {
  var t, n = e.__v, s = n.__e, o = [], l = [], i = e.__P;
  i &&
      ((t = An({constructor: Ns}, n)).__v = n.__v + 1, ye.vnode && ye.vnode(t),
       Rl(i, t, n, e.__n, i.namespaceURI, 32 & n.__u ? [s] : null, o, s || hn(n), 32 & n.__u, l),
       t.__v = n.__v, t.__.__k[t.__i] = t, xr(o, t, l), n.__ = n.__e = null, t.__e != s && wr(t))
}
function wr(e) {
  if ((e = e.__) && e.__c && !e.props.__P)
    return e.__e = null, e.__k.some(function(t) { return t && (e.__e = t.__e) }), wr(e)
}
function dr(e) {
  (8 & e.__g || (e.__g |= 8, fn.push(e), wo++)) && Pl == ye.debounceRendering ||
      ((Pl = ye.debounceRendering) || queueMicrotask)(yr)
}
function yr() {
  try {
    for (var e, t = 1; fn.length;)
      fn.length > t && fn.sort($r), e = fn.shift(), t = fn.length, 8 & e.__g && Xu(e)
  } finally {
    (wo = fn.length) && (Pl || queueMicrotask)(yr)
  }
}
function vr(e, t, n, s, o, l, i, r, a, u, f) {
  var p, d, m, k, x, w, S = s.__k || vo, b = t.length;
  for (a = ef(n, t, S, a, b), p = 0; p < b; p++)
    (m = n.__k[p]) != null &&
        (d = ~m.__i && S[m.__i] || yo, m.__i = p, w = Rl(e, m, d, o, l, i, r, a, u, f), k = m.__e,
         (d.ref != m.ref || 8 & d.__u) &&
             (d.ref && Fl(d.ref, null, m, d), m.ref && f.push(m.ref, m.__c || k, m)),
         x = x || k,
         4 & m.__u ? (a = br(m, a, e, !d.__v), d.__e && (d.__e = null)) :
             typeof m.type == 'function' && w !== void 0 ? a = w :
                                                           k && (a = k.nextSibling),
         m.__u &= -21);
  return n.__e = x, a
}
function ef(e, t, n, s, o) {
  var l, i, r, a, u, f, p, d, m, k = n.length, x = k, w = 0, S = 0, b = e.__k = Array(o);
  for (l = 0; l < o; l++)
    (i = t[l]) != null && typeof i != 'boolean' && typeof i != 'function' ?
        (typeof i != 'object' || i.constructor === String ? i = b[l] = Os(null, i) :
             Ol(i)                                        ? i = b[l] = Os(bo, {children: i}) :
             i.constructor === Ns&& i.__b ? i = b[l] = Os(i.type, i.props, i.key, i.ref, i.__v) :
                                            b[l] = i,
         a = l + w, i.__ = e, i.__b = e.__b + 1, r = null,
         ~(u = i.__i = tf(i, n, a, x)) && (x--, (r = n[u]) && (r.__u |= 2)),
         r && r.__v ?
             (i.__u |= 16,
              u == a - 1     ? w-- :
                  u == a + 1 ? w++ :
                               u != a && (u > a ? w-- : w++, S = 1)) :
             (~u || (o > k ? w-- : o < k && w++), typeof i.type != 'function' && (i.__u |= 4))) :
        b[l] = null;
  if (S) {
    for (f = [], p = [], l = 0; l < o; l++)
      if ((i = b[l]) && 16 & i.__u) {
        for (w = 0, d = f.length; w < d;) f[m = w + d >> 1] < i.__i ? w = m + 1 : d = m;
        f[w] = i.__i, p[l] = w + 1
      }
    for (w = f.length; l--;) p[l] && (p[l] == w ? w-- : b[l].__u |= 4)
  }
  if (x)
    for (l = 0; l < k; l++) !(r = n[l]) || 2&r.__u || (r.__e == s && (s = hn(r)), zl(r, r));
  return s
}
function br(e, t, n, s) {
  var o, l, i, r;
  if (typeof e.type == 'function') {
    if (e.props.__P) return t;
    if (o = e.__k)
      for (l = 0; l < o.length; l++) o[l] && (o[l].__ = e, t = br(o[l], t, n, !1));
    return t
  }
  for (t && !t.parentNode && (t = hn(e)) && !t.parentNode && (t = null), i = e.__e, r = t;
       r && r.nodeType == 8;)
    r = r.nextSibling;
  for (i != r &&
           (!s && n.moveBefore && i.parentNode ? n.moveBefore(i, t) : n.insertBefore(i, t || null)),
       t = i;
       (t = t && t.nextSibling) && t.nodeType == 8 && !t.data.startsWith('$s');)
    ;
  return t
}
function tf(e, t, n, s) {
  var o, l = e.key, i = e.type, r = t[n], a = r && !(2 & r.__u);
  if (r === null && l == null || a && l == r.key && i == r.type) return n;
  if (s > (a ? 1 : 0)) {
    for (o = n - 1; o >= 0; o--)
      if ((r = t[o]) && !(2 & r.__u) && l == r.key && i == r.type) return o;
    for (o = n + 1; o < t.length; o++)
      if ((r = t[o]) && !(2 & r.__u) && l == r.key && i == r.type) return o
  }
  return -1
}
function mr(e, t, n) { n == null && (n = ''), t[0] == '-' ? e.setProperty(t, n) : e[t] = n }
function go(e, t, n, s, o) {
  var l, i;
  if (t == 'style')
    if (typeof n == 'string') e.style.cssText = n;
    else {
      if (typeof s == 'string' && (e.style.cssText = s = ''), s)
        for (t in s) n && t in n || mr(e.style, t);
      if (n)
        for (t in n) s && n[t] == s[t] || mr(e.style, t, n[t])
    }
  else if (t[0] == 'o' && t[1] == 'n')
    typeof n != 'function' && (n = null), typeof s != 'function' && (s = null),
        (e.__e || (e.__e = {}))[t] = n,
                           n && s ||
        (i = Cl[t] || (Cl[t] = nf(t)), (e.__a || (e.__a = {}))[t] = Ll,
         l = t != (t = t.replace(_r, '$1')), (t = t.slice(2))[0] < 'a' && (t = t.toLowerCase()),
         n ? e.addEventListener(t, i, l) : e.removeEventListener(t, i, l));
  else {
    if (o == 'http://www.w3.org/2000/svg') t = t.replace(/xlink(H|:h)/, 'h').replace(/sName$/, 's');
    else if (
        t != 'width' && t != 'height' && t != 'href' && t != 'list' && t != 'form' &&
        t != 'tabIndex' && t != 'download' && t != 'rowSpan' && t != 'colSpan' && t != 'role' &&
        t != 'popover' && t in e)
      try {
        return void (e[t] = n ?? '')
      } catch {
      }
    if (typeof n == 'function') return;
    n == null || n === !1 && t[4] != '-' ? e.removeAttribute(t) :
                                           e.setAttribute(t, t == 'popover' && n == 1 ? '' : n)
  }
}
function nf(e) {
  return function(t) {
    var n = this.__e;
    if (n) {
      if (n = n[e], t[$o] == null) t[$o] = Ll++;
      else if (t[$o] < this.__a[e]) return;
      return n(ye.event ? ye.event(t) : t)
    }
  }
}
function Rl(e, t, n, s, o, l, i, r, a, u) {
  var f, p, d, m, k, x, w, S, b, A, y, C, E, H, T, j, z, O, G = t.type;
  if (t.constructor !== Ns) return null;
  128&n.__u && (a = 32 & n.__u, f = n.__c.__z) &&
      (t.__u |= a, p = l = [], f.nodeType == 8 ? r = _o(f, l) : l.push(f), r = l[0] || r),
      (f = ye.__b) && f(t);
  e: if (typeof G == 'function') {
    d = i.length;
    try {
      if (S = t.props, b = (f = G.prototype) && f.render, A = (f = G.contextType) && s[f.__c],
          y = f ? A ? A.props.value : f.__ : s,
          (m = n.__c) ? (t.__c = m, 2 & m.__g && (m.__g |= 1)) :
                        (b ? t.__c = m = new G(S, y) :
                             (t.__c = m = new os(S, y), m.constructor = G, m.render = of),
                         A && A.sub(m), m.state || (m.state = {}), m.__n = s, m.__g |= 8,
                         m.__h = [], m.__k = []),
          b &&
              (m.__s || (m.__s = m.state),
               G.getDerivedStateFromProps &&
                   (m.__s == m.state && (m.__s = An({}, m.__s)),
                    An(m.__s, G.getDerivedStateFromProps(S, m.__s)))),
          k = m.props, x = m.state, m.__v = t, n.__c) {
        if (S !== k && b && !G.getDerivedStateFromProps && m.componentWillReceiveProps &&
                m.componentWillReceiveProps(S, y),
            t.__v == n.__v && !(8 & m.__g) ||
                !(4 & m.__g) && m.shouldComponentUpdate &&
                    m.shouldComponentUpdate(S, m.__s, y) === !1) {
          t.__v != n.__v && (m.props = S, m.state = m.__s, m.__g &= -9),
              t.__e = n.__e, t.__k = n.__k, t.__k.some(function(R) { R && (R.__ = t) }),
              vo.push.apply(m.__h, m.__k), m.__k = [], m.__h.length && i.push(m), r = hn(n);
          break e
        }
        m.componentWillUpdate && m.componentWillUpdate(S, m.__s, y),
            b && m.componentDidUpdate && m.__h.push(function() { m.componentDidUpdate(k, x, w) })
      } else
        b && !G.getDerivedStateFromProps && m.componentWillMount && m.componentWillMount(),
            b && m.componentDidMount && m.__h.push(m.componentDidMount);
      m.context = y, m.props = S, m.__P = e, m.__g &= -5, C = ye.__r, E = b ? 25 : 0;
      do m.__g &= -9, C && C(t), f = m.render(m.props, m.state = m.__s, m.context);
      while (8 & m.__g && ++E < 25);
      b && (vo.push.apply(m.__h, m.__k), m.__k = []),
          m.state = m.__s, m.getChildContext && (s = An({}, s, m.getChildContext())),
          b && n.__c && m.getSnapshotBeforeUpdate && (w = m.getSnapshotBeforeUpdate(k, x)),
          H = f && f.type === bo && f.key == null ? f.props.children : f,
          S.__P &&
          (f = r, o = (e = S.__P).namespaceURI, a = l = null,
           n.props && n.props.__P != e && (n.__k.some(function(R) { R && zl(R, R) }), n.__k = null),
           r = n.__k ? hn(n, 0) : null),
          r = vr(e, Ol(H) ? H : [H], t, n, s, o, l, i, r, a, u), S.__P && (t.__e = null, r = f),
          t.__u &= -161, p && p.some(Tn), m.__h.length && i.push(m), 1 & m.__g && (m.__g &= -4)
    } catch (R) {
      if (i.length = d, t.__v = null, a || l)
        if (R && R.then) {
          if (t.__u |= 128 | a, l) {
            for (~(z = l.indexOf(r || void 0)) || (z = l.length);
                 (O = l[z - 1]) && O.nodeType == 8;)
              z--;
            for (; z < l.length; z++)
              if (O = l[z])
                if (l[z] = null, T) {
                  if (O == j) break
                } else {
                  if (O.nodeType != 8) break;
                  O.data.startsWith('$s') && (j = _o(T = O))
                }
          }
          if (!T) {
            for (; r && r.nodeType == 8 && r.nextSibling;) r = r.nextSibling;
            T = r
          }
          (f = _o(T = t.__c.__z || (t.__c.__z = T))) ? (t.__e = T, r = f) : t.__e = r,
                                                                            r = r && r.nextSibling
        } else l && l.some(Tn);
      else t.__e = n.__e;
      t.__k || (t.__k = n.__k || []), R && R.then || kr(t), ye.__e(R, t, n)
    }
  }
  else r = t.__e = sf(n.__e, t, n, s, o, l, i, a, u, e); return (f = ye.diffed) && f(t), r
}
function _o(e, t) {
  if (e && e.nodeType == 8 && e.data.startsWith('$s'))
    for (var n = 1; e = e.nextSibling;) {
      if (e.nodeType == 8) {
        if (e.data.startsWith('$s')) n++;
        else if (e.data.startsWith('/$s') && !--n) return e
      }
      t && t.push(e)
    }
}
function kr(e) { e && (e.__c && (e.__c.__g |= 4), e.__k && e.__k.some(kr)) }
function xr(e, t, n) {
  for (var s = 0; s < n.length;) Fl(n[s++], n[s++], n[s++]);
  ye.__c && ye.__c(t, e), e.some(function(o) {
    try {
      e = o.__h, o.__h = [], e.some(function(l) { l.call(o) })
    } catch (l) {
      ye.__e(l, o.__v)
    }
  })
}
function sf(e, t, n, s, o, l, i, r, a, u) {
  var f, p, d, m, k, x, w, S, b = n.props || yo, A = t.props, y = t.type;
  if (y == 'svg'      ? o = 'http://www.w3.org/2000/svg' :
          y == 'math' ? o = 'http://www.w3.org/1998/Math/MathML' :
                        o || (o = 'http://www.w3.org/1999/xhtml'),
      l) {
    for (f = 0; f < l.length; f++)
      if ((k = l[f]) && (y ? k.localName == y : k.nodeType == 3)) {
        e = k, l[f] = null;
        break
      }
  }
  if (!e) {
    if (S = u.ownerDocument || document, !y) return S.createTextNode(A);
    e = S.createElementNS(o, y, A.is ? A : u), r && (ye.__m && ye.__m(t, l), r = !1), l = null
  }
  if (y) {
    if (u = y == 'template' && e.content || e,
        l = y == 'textarea' && A.defaultValue != null ? null : l && Nl.call(u.childNodes), !r && l)
      for (b = {}, f = 0; f < e.attributes.length; f++) b[(k = e.attributes[f]).name] = k.value;
    for (f in b)
      k = b[f],
      f == 'dangerouslySetInnerHTML' ?
          d = k :
          f == 'children' || f in A || f == 'value' && 'defaultValue' in A ||
              f == 'checked' && 'defaultChecked' in A || go(e, f, null, k, o);
    for (f in A)
      k = A[f],
      f == 'children'                    ? m = k :
          f == 'dangerouslySetInnerHTML' ? p = k :
          f == 'value'                   ? x = k :
          f == 'checked'                 ? w = k :
                           r && typeof k != 'function' || b[f] === k || go(e, f, k, b[f], o);
    p ? (r || d && (p.__html == d.__html || p.__html == e.innerHTML) || (e.innerHTML = p.__html),
         t.__k = []) :
        (d && (e.textContent = ''),
         (y == 'foreignObject' || o == 'http://www.w3.org/1998/Math/MathML' && Zu.test(y)) &&
             (o = 'http://www.w3.org/1999/xhtml'),
         vr(u, Ol(m) ? m : [m], t, n, s, o, l, i, l ? l[0] : n.__k && hn(n, 0), r, a),
         l && l.some(Tn)),
        r && y != 'textarea' ||
        (f = 'value',
         y == 'progress' && x == null ?
             e.removeAttribute(f) :
             x == null || x === e[f] && (y != 'progress' || x) || go(e, f, x, b[f], o),
         f = 'checked', w != null && w != e[f] && go(e, f, w, b[f], o))
  } else b === A || r && e.data == A || (e.data = A);
  return e
}
function Fl(e, t, n, s) {
  try {
    typeof e == 'function' ? t ? t.__x = e(t) || 1 :
                                 s && (s = s.__c || s.__e) && (t = s.__x) &&
                (s.__x = null, typeof t == 'function' ? t() : e(null)) :
                             e.current = t
  } catch (o) {
    ye.__e(o, n)
  }
}
function zl(e, t, n) {
  var s, o, l, i;
  if (ye.unmount && ye.unmount(e),
      !(s = e.ref) || s.current && s.current != e.__e || Fl(s, null, t, e), s = e.__c) {
    if (s.componentWillUnmount) try {
        s.componentWillUnmount()
      } catch (r) {
        ye.__e(r, t)
      }
    s.__P = s.__n = null
  }
  if (s = e.__k)
    for (i = 0; i < s.length; i++)
      s[i] && zl(s[i], t, typeof e.type != 'function' || n && !e.props.__P);
  !n && (s = e.__c) && (s = s.__z) && (o = _o(s, l = [])) &&
      (s == e.__e && l.some(Tn), Tn(o), Tn(s)),
      n || Tn(e.__e), e.__e = e.__c = e.__ = null
}
function of (e, t, n) { return this.constructor(e, n) }
function Hl(e, t) {
  var n, s, o, l;
  ye.__ && ye.__(e, t), t.nodeType == 9 && (t = t.documentElement),
      s = (n = e && 32 & e.__u) ? null : t.__k, t.__k = Os(bo, {children: [e]}), o = [], l = [],
      Rl(t, t.__k, s || yo, yo, t.namespaceURI,
         s                ? null :
             t.firstChild ? Nl.call(t.childNodes) :
                            null,
         o, s ? s.__e : t.firstChild, n, l),
      xr(o, t.__k, l), t.__k.props.children = null
}
ye = {
  __e: function(e, t, n, s) {
    for (var o, l, i; t = t.__;)
      if ((o = t.__c) && !(1 & o.__g)) {
        o.__g |= 4;
        try {
          if ((i = (l = o.constructor) && l.getDerivedStateFromError) &&
                  o.setState(l.getDerivedStateFromError(e)),
              o.componentDidCatch && (o.componentDidCatch(e, s || {}), i = 1), i && 8 & o.__g)
            return void (o.__g |= 2)
        } catch (r) {
          e = r
        }
      }
    throw wo = 0, e
  }
},
    gr = 0, Ju = function(e) { return e != null && e.constructor === Ns },
    os.prototype.setState =
        function(e, t) {
      var n = this.__s;
      n && n != this.state || (n = this.__s = An({}, this.state)),
          typeof e == 'function' && (e = e(An({}, n), this.props)),
          e && (An(n, e), this.__v && (t && this.__k.push(t), dr(this)))
    },
    os.prototype.forceUpdate = function(
        e) { this.__v && (this.__g |= 4, e && this.__h.push(e), dr(this)) },
    os.prototype.render = bo, fn = [], wo = 0, $r = function(e, t) { return e.__v.__b - t.__v.__b },
    $o = Symbol(), _r = /(PointerCapture)$|Capture$/i, Ll = 0, Cl = {}, Qu = 0;
var Mr = function(e, t, n, s) {
  var o;
  t[0] = 0;
  for (var l = 1; l < t.length; l++) {
    var i = t[l++], r = t[l] ? (t[0] |= i ? 1 : 2, n[t[l++]]) : t[++l];
    i === 3     ? s[0] = r :
        i === 4 ? s[1] = Object.assign(s[1] || {}, r) :
        i === 5 ? (s[1] = s[1] || {})[t[++l]] = r :
        i === 6 ? s[1][t[++l]] += r + '' :
        i       ? (o = e.apply(r, Mr(e, r, n, ['', null])), s.push(o),
             r[0] ? t[0] |= 2 : (t[l - 2] = 0, t[l] = o)) :
                  s.push(r)
  }
  return s
}, Sr = new Map;
function Tr(e) {
  var t = Sr.get(this);
  return t || (t = new Map, Sr.set(this, t)),
         (t = Mr(
              this,
              t.get(e) ||
                  (t.set(e, t = (function(n) {
                              for (var s, o, l = 1, i = '', r = '', a = [0], u = function(d) {
                                     l === 1 && (d || (i = i.replace(/^\s*\n\s*|\s*\n\s*$/g, ''))) ?
                                         a.push(0, d, i) :
                                         l === 3 && (d || i)         ? (a.push(3, d, i), l = 2) :
                                         l === 2 && i === '...' && d ? a.push(4, d, 0) :
                                         l === 2 && i && !d          ? a.push(5, 0, !0, i) :
                                                                       l >= 5 &&
                                             ((i || !d && l === 5) && (a.push(l, 0, i, o), l = 6),
                                              d && (a.push(l, d, 0, o), l = 6)),
                                         i = ''
                                   }, f = 0; f < n.length; f++) {
                                f && (l === 1 && u(), u(f));
                                for (var p = 0; p < n[f].length; p++)
                                  s = n[f][p],
                                  l === 1     ? s === '<' ? (u(), a = [a], l = 3) : i += s :
                                      l === 4 ? i === '--' && s === '>' ? (l = 1, i = '') :
                                                                          i = s + i[0] :
                                      r       ? s === r ? r = '' : i += s :
                                      s === '"' || s === '\'' ? r = s :
                                      s === '>'               ? (u(), l = 1) :
                                                                l &&
                                          (s === '=' ? (l = 5, o = i, i = '') :
                                               s === '/' && (l < 5 || n[f][p + 1] === '>') ?
                                                       (u(), l === 3 && (a = a[0]), l = a,
                                                        (a = a[0]).push(2, 0, l), l = 0) :
                                               s === ' ' || s === '	' || s === `
` || s === '\r' ?
                                                       (u(), l = 2) :
                                                       i += s),
                                  l === 3 && i === '!--' && (l = 4, a = a[0])
                              }
                              return u(), a
                            })(e)),
                   t),
              arguments,
              [])).length > 1 ?
             t :
             t[0]
}
var ls, De, Il, Ar, Wl = Object.is, ko = 0, Fr = [], jl = [], Oe = ye, Er = Oe.__b, Pr = Oe.__r,
                    Cr = Oe.diffed, Lr = Oe.__c, Or = Oe.unmount, Nr = Oe.__;
function xo(e, t) {
  Oe.__h && Oe.__h(De, e, ko || t), ko = 0;
  var n = De.__H || (De.__H = {__: [], __h: []});
  return e >= n.__.length && n.__.push({}), n.__[e]
}
function Q(e) { return ko = 1, lf(zr, e) }
function lf(e, t, n) {
  var s = xo(ls++, 2);
  if (s.t = e,
      !s.__c &&
          (s.__ =
               [
                 n ? n(t) : zr(void 0, t),
                 function(l) {
                   var i = (s.__N || s.__)[0], r = s.t(i, l);
                   Wl(i, r) || (s.__N = [r, s.__[1]], s.__c.setState({}))
                 }
               ],
           s.__c = De, !De.__f)) {
    De.__f = !0;
    var o = De.shouldComponentUpdate;
    De.shouldComponentUpdate = function(l, i, r) {
      var a = this.__H;
      if (!a) return !0;
      var u = !1, f = this.props != l;
      if (a.__.some(function(d) { d.__N && (u = !0, Wl(d.__[0], d.__N[0]) || (f = !0)) }), o) {
        var p = o.call(this, l, i, r);
        return u ? p || f : p
      }
      return !u || f
    }
  }
  return s.__
}
function xe(e, t) {
  var n = xo(ls++, 3);
  !Oe.__s && ql(n.__H, t) && (n.__P = !0, n.__ = e, n.u = t, De.__H.__h.push(n))
}
function Tt(e, t) {
  var n = xo(ls++, 4);
  !Oe.__s && ql(n.__H, t) && (n.__P = !1, n.__ = e, n.u = t, De.__h.push(n))
}
function pe(e) {
  return ko = 5, is(function() {
           return { current: e }
         }, [])
}
function is(e, t) {
  var n = xo(ls++, 7);
  return ql(n.__H, t) && (n.__ = e(), n.__H = t), n.__
}
function rf() {
  var e;
  do {
    for (; e = jl.shift();) try {
        Ds(e)
      } catch (n) {
        Oe.__e(n, {__: (e = e.__P) && e.__v})
      }
    for (; e = Fr.shift();) {
      var t = e.__H;
      if (e.__P && t) try {
          t.__h.some(Ds), t.__h.some(Vl), t.__h = []
        } catch (n) {
          t.__h = [], Oe.__e(n, e.__v)
        }
    }
  } while (jl.length)
}
Oe.__b = function(e) { De = null, Er && Er(e) },
    Oe.__ = function(e, t) { e && t.__k && t.__k.__m && (e.__m = t.__k.__m), Nr && Nr(e, t) },
    Oe.__r = function(e) {
      Pr && Pr(e), ls = 0;
      var t = (De = e.__c).__H;
      t &&
          (Il == De ? De.__h = [] : (t.__h.some(Ds), t.__h.some(Vl), ls = 0), t.__h = [],
           t.__.some(function(n) { n.__N && (n.__ = n.__N), n.u = n.__N = void 0 })),
          Il = De
    }, Oe.diffed = function(e) {
      Cr && Cr(e);
      var t = e.__c;
      t && t.__H &&
          (t.__H.__h.length && Rr(Fr.push(t)), t.__H.__.some(function(n) { n.u && (n.__H = n.u) })),
          Il = De = null
    }, Oe.__c = function(e, t) {
      t.some(function(n) {
        try {
          n.__h.some(Ds), n.__h = n.__h.filter(function(s) { return !s.__ || Vl(s) })
        } catch (s) {
          n.__h = [function() { throw s }]
        }
      }),
          Lr && Lr(e, t)
    }, Oe.unmount = function(e) {
      Or && Or(e);
      var t, n, s = e.__c;
      s && s.__H &&
          (s.__H.__.some(function(o) {
            try {
              if (o.__P && o.__c) {
                if (n === void 0) {
                  for (n = e.__; n && (!n.__c || !n.__c.__P);) n = n.__;
                  n = n && n.__c
                }
                o.__P = n, Rr(jl.push(o))
              } else Ds(o)
            } catch (l) {
              t = l
            }
          }),
           s.__H = void 0, t && Oe.__e(t, s.__v))
    };
var Dr = typeof requestAnimationFrame == 'function';
function af(e) {
  var t, n = function() { clearTimeout(s), Dr && cancelAnimationFrame(t), setTimeout(e) },
         s = setTimeout(n, 35);
  Dr && (t = requestAnimationFrame(n))
}
function Rr(e) {
  e != 1 && Ar == Oe.requestAnimationFrame || ((Ar = Oe.requestAnimationFrame) || af)(rf)
}
function Ds(e) {
  var t = De, n = e.__c;
  typeof n == 'function' && (e.__c = void 0, n()), De = t
}
function Vl(e) {
  var t = De;
  e.__c = e.__(), De = t
}
function ql(e, t) {
  return !e || e.length != t.length || t.some(function(n, s) { return !Wl(n, e[s]) })
}
function zr(e, t) { return typeof t == 'function' ? t(e) : t }
var _ = Tr.bind(Dl), rs = class extends os {
  componentDidCatch(t) { this.setState({error: t}) }
  render({children: t, what: n}, {error: s}) {
    return s ? Dl('p', {class: 'whynot wide'}, `${n} cannot be drawn: ${s.message}`) : t
  }
};
var Gt = {
  __proto__: null,
  '': {word: 'under way', colour: '--waiting', shape: 'hollow'},
  sent: {word: 'outcome not reported', colour: '--waiting', shape: 'arrow'},
  consumed: {word: 'consumed', colour: '--good', shape: 'arrow'},
  expired: {word: 'expired', colour: '--expired', shape: 'circle'},
  refused: {word: 'refused', colour: '--refused', shape: 'cross'},
  dropped: {word: 'dropped', colour: '--dropped', shape: 'bar'},
  undeliverable: {word: 'undeliverable', colour: '--refused', shape: 'square'},
  lost: {word: 'custodian lost', colour: '--refused', shape: 'diamond'},
  redelivered: {word: 'redelivered', colour: '--again', shape: 'double'}
},
    cf = {__proto__: null, custodian_lost: 'lost', 'custodian lost': 'lost'};
function Xt(e, t = !0) {
  let n = cf[e.outcome] ?? e.outcome ?? (t ? '' : 'sent');
  return e.again && (n === '' || n === 'consumed') ? 'redelivered' : Gt[n] ? n : 'undeliverable'
}
function Ir(e) {
  if (e.kind === 'failure') return !0;
  let t = Xt(e);
  return t !== '' && t !== 'consumed' && t !== 'redelivered'
}
function So(e, t, n, s, o) {
  e.beginPath(),
      t === 'arrow' || t === 'hollow' || t === 'double' ?
      (Hr(e, n, s, o), t === 'double' && Hr(e, n - o * 8, s, o)) :
      t === 'circle'  ? e.arc(n - o * 5, s, 4, 0, 7) :
      t === 'square'  ? e.rect(n - o * 5 - 4, s - 4, 8, 8) :
      t === 'diamond' ? (e.moveTo(n, s), e.lineTo(n - o * 5, s - 5), e.lineTo(n - o * 10, s),
                         e.lineTo(n - o * 5, s + 5), e.closePath()) :
      t === 'cross'   ? (e.moveTo(n - o * 9, s - 4), e.lineTo(n - o, s + 4),
                       e.moveTo(n - o * 9, s + 4), e.lineTo(n - o, s - 4)) :
                        (e.moveTo(n - o * 4, s - 6), e.lineTo(n - o * 4, s + 6)),
      t === 'arrow' || t === 'double' ? e.fill() : e.stroke()
}
function Hr(e, t, n, s) {
  e.moveTo(t, n), e.lineTo(t - s * 8, n - 4.5), e.lineTo(t - s * 8, n + 4.5), e.closePath()
}
function At({store: e, right: t, label: n, action: s, danger: o}) {
  let [l, i] = Q(null);
  if (!e.may(t).allowed) return null;
  let a = async () => {
    i({busy: !0});
    try {
      let u = await s();
      i({text: typeof u == 'string' ? u : 'Done.'})
    } catch (u) {
      i({text: u.message, bad: !0})
    }
  };
  return _`<span class="act">
    <button class=${o ? 'danger' : ''} disabled=${l?.busy} onClick=${a}>${n}</button>
    <span class=${l?.bad ? 'note bad' : 'note'} role="status">${l?.text ?? ''}</span>
  </span>`
}
function En({store: e, right: t, what: n}) {
  let s = e.may(t);
  return s.allowed ? null : _`<p class="whynot">${n}: ${s.why}</p>`
}
function Re(
    {label: e, value: t, onInput: n, placeholder: s, width: o, onKeyDown: l, type: i = 'search'}) {
  return _`<label class="field" style=${o ? {width: o} : void 0}>
    <span>${e}</span>
    <input type=${i} value=${t} placeholder=${s ?? ''} spellcheck=${!1}
      autocomplete="off" onInput=${r => n(r.target.value)} onKeyDown=${l} />
  </label>`
}
function Bl({label: e, value: t, options: n, onChange: s}) {
  return _`<label class="field"><span>${e}</span>
    <select value=${t} onChange=${o => s(o.target.value)}>
      ${n.map(([o, l]) => _`<option value=${o}>${l}</option>`)}
    </select></label>`
}
function as ({label: e, value: t, options: n, onChange: s}) {
  return _`<div class="segments" role="group" aria-label=${e}>
    ${n.map(([o, l]) => _`<button aria-pressed=${t === o}
      onClick=${() => s(o)}>${l}</button>`)}
  </div>`
}
function Mo({label: e, on: t, onChange: n}) {
  return _`<button class="toggle" aria-pressed=${t} onClick=${() => n(!t)}>${e}</button>`
}
function ht({title: e, children: t}) { return _`<div class="empty"><h2>${e}</h2><p>${t}</p></div>` }
function Wr({name: e, reason: t}) {
  let n = Gt[e] ?? Gt[''];
  return _`<span class="outcome"><${uf} outcome=${n} />${n.word}${t ? `: ${t}` : ''}</span>`
}
function uf({outcome: e}) {
  let t = pe();
  return xe(() => {
           let n = window.devicePixelRatio || 1, s = t.current;
           s.width = 20 * n, s.height = 12 * n;
           let o = s.getContext('2d');
           o.scale(n, n);
           let l = getComputedStyle(s).getPropertyValue(e.colour);
           o.strokeStyle = l, o.fillStyle = l, o.lineWidth = 1.5, So(o, e.shape, 18, 6, 1)
         }),
         _`<canvas ref=${t} class="shape" aria-hidden="true"></canvas>`
}
function To(e) {
  let t = 0;
  return {
    mark() { t || (t = requestAnimationFrame(() => {t = 0, e()})) }
    , stop() { cancelAnimationFrame(t), t = 0 }
  }
}
function cs(e, t, n) {
  let s = window.devicePixelRatio || 1, o = Math.round(t * s), l = Math.round(n * s);
  (e.width !== o || e.height !== l) &&
      (e.width = o, e.height = l, e.style.width = `${t}px`, e.style.height = `${n}px`);
  let i = e.getContext('2d');
  return i.setTransform(s, 0, 0, s, 0, 0), i.clearRect(0, 0, t, n), i
}
var Rs = null;
function Ut() {
  if (Rs) return Rs;
  let e = getComputedStyle(document.documentElement);
  return Rs = Object.fromEntries([
    'text', 'muted', 'line', 'surface', 'bg', 'accent', 'accent-soft', 'good', 'waiting', 'expired',
    'refused', 'dropped', 'again', 'lane', 'band'
  ].map(n => [n, e.getPropertyValue(`--${n}`).trim()])),
         Rs
}
function jr() { Rs = null }
var ff = 'coracle.view.1';
var Ao = class {
  constructor({url: t, onFrame: n, onState: s, open: o, later: l}) {
    this.url = t, this.onFrame = n, this.onState = s, this.open = o ?? (i => new WebSocket(i, ff)),
    this.later = l ?? ((i, r) => setTimeout(i, r)), this.requests = new Map, this.next = 1,
    this.pause = 250, this.socket = null, this.hadHello = !1
  }
  connect() {
    this.onState('connecting', this.hadHello ? 'Connecting again' : 'Connecting');
    let t = this.open(this.url);
    this.socket = t, t.onmessage = n => this.receive(n.data), t.onclose = n => this.lost(n)
  }
  receive(t) {
    let n;
    try {
      n = JSON.parse(t)
    } catch {
      this.onState('lost', 'The server sent a frame that is no JSON.'), this.socket.close();
      return
    }
    if (!(n === null || typeof n != 'object')) {
      if (n.is === 'reply') {
        this.settle(n);
        return
      }
      n.is === 'hello' && (this.hadHello = !0, this.pause = 250, this.onState('open', '')),
          this.onFrame(n)
    }
  }
  settle(t) {
    let n = this.requests.get(t.id);
    n &&
        (this.requests.delete(t.id),
         t.error !== void 0 ? n.reject(new Error(String(t.error))) : n.resolve(t.ok))
  }
  lost(t) {
    this.socket = null;
    for (let s of this.requests.values())
      s.reject(new Error('The connection broke before the answer came. Try again.'));
    this.requests.clear();
    let n = t && t.reason ? String(t.reason) : 'The connection is lost.';
    this.onState('lost', `${n} The page keeps trying.`),
        this.later(() => this.connect(), this.pause), this.pause = Math.min(5e3, this.pause * 2)
  }
  ask(t, n = {}) {
    if (!this.socket || this.socket.readyState !== 1)
      return Promise.reject(new Error('The page is not connected. Wait until it is.'));
    let s = this.next++, o = new Promise((l, i) => this.requests.set(s, {resolve: l, reject: i}));
    return this.socket.send(JSON.stringify({do: t, id: s, ...n})), o
  }
};
function Po(e, t) {
  let n = 0, s = e.length;
  for (; n < s;) {
    let o = n + s >> 1;
    e[o].n < t ? n = o + 1 : s = o
  }
  return n
}
var Eo = class {
  constructor(t = 1e5) { this.limit = t, this.clear() }
  clear() {
    this.rows = [], this.last = 0, this.version = (this.version ?? 0) + 1, this.added ??= 0,
    this.reshaped = (this.reshaped ?? 0) + 1, this.trimmed ??= 0, this.outcomes = new Map,
    this.reported = !1, this.missed = 0, this.folded = 0, this.fold = null, this.pairs = new Map
  }
  find(t) {
    let n = Po(this.rows, t);
    return this.rows[n] && this.rows[n].n === t ? this.rows[n] : null
  }
  append(t) {
    for (let n of t)
      n.n > this.last &&
          (this.last = n.n, this.rows.push(n), this.added += 1, this.link(n),
           this.addPair(n.from, n.to, 1, n.size), this.count(n.outcome, n.again));
    this.trim(), this.version += 1
  }
  link(t) {
    if (!t.answers) return;
    let n = this.find(t.answers);
    n && (n.replied = t.n)
  }
  prepend(t) {
    let n = this.rows.length ? this.rows[0].n : 1 / 0, s = this.limit - this.rows.length,
        o = t.filter(i => i.n < n).sort((i, r) => i.n - r.n), l = s > 0 ? o.slice(-s) : [];
    if (!l.length) return 0;
    this.rows = l.concat(this.rows),
    this.last = Math.max(this.last, this.rows[this.rows.length - 1].n);
    for (let i of l)
      this.link(i), this.addPair(i.from, i.to, 1, i.size),
          i.outcome && this.count(i.outcome, i.again);
    return this.relink(l.length), this.reshaped += 1, this.version += 1, l.length
  }
  relink(t) {
    let n = Math.min(this.rows.length, t + 2e3);
    for (let s = t; s < n; s += 1) this.link(this.rows[s])
  }
  stages(t) {
    t.length && (this.reported = !0);
    for (let n of t) {
      let s = this.find(n.n);
      n.outcome && (!s || !s.outcome) && this.count(n.outcome), s && Object.assign(s, n)
    }
    this.version += 1
  }
  count(t, n) {
    t && (this.reported = !0), t && this.outcomes.set(t, (this.outcomes.get(t) ?? 0) + 1),
        n && this.outcomes.set('redelivered', (this.outcomes.get('redelivered') ?? 0) + 1)
  }
  gap({at: t, missed: n, why: s, node: o}) {
    let l = this.rows[this.rows.length - 1];
    n > 0 && (this.missed += n),
        l && l.gap && l.why === s && l.node === o && t - l.at<1 && n>0 && l.missed > 0 ?
        l.missed += n :
        (this.rows.push({gap: !0, n: this.last + .5, at: t, missed: n, why: s, node: o}),
         this.added += 1),
        this.version += 1
  }
  addFolded(t, n, s) {
    this.folded += n;
    for (let [o, l, i, r] of s ?? []) this.addPair(o, l, i, r);
    this.fold&& t - this.fold.at < 1 ?
        this.fold.missed += n :
        (this.fold = {gap: !0, n: this.last + .5, at: t, missed: n, why: 'folded'},
         this.rows.push(this.fold), this.added += 1),
        this.version += 1
  }
  addPair(t, n, s, o) {
    let l = `${t}
${n}`,
        i = this.pairs.get(l);
    if (!i) {
      if (this.pairs.size >= 2e4) return;
      i = {from: t, to: n, count: 0, bytes: 0}, this.pairs.set(l, i)
    }
    i.count += s, i.bytes += o ?? 0
  }
  trim() {
    let t = this.rows.length - this.limit;
    t > this.limit * .05 && (this.rows = this.rows.slice(t), this.trimmed += 1)
  }
};
var Co = class {
  constructor() {
    this.metrics = new Map, this.lines = new Map, this.count = 0, this.version = 0, this.refused = 0
  }
  describe(t) {
    for (let n of t) this.metrics.size < 1e3 && this.metrics.set(n.name, n);
    this.version += 1
  }
  add(t, n) {
    for (let [s, o, l] of n) {
      let i = this.line(String(s), String(o));
      i &&
          (i.at.push(t), i.value.push(l),
           i.at.length > 600 * 1.2 && (i.at = i.at.slice(-600), i.value = i.value.slice(-600)))
    }
    this.version += 1
  }
  line(t, n) {
    let s = this.lines.get(t);
    s || this.lines.set(t, s = new Map);
    let o = s.get(n);
    if (!o) {
      if (this.count >= 5e3) return this.refused += 1, null;
      this.count += 1, s.set(n, o = {at: [], value: []})
    }
    return o
  }
  last(t, n) {
    let s = this.lines.get(t)?.get(n);
    return s ? s.value[s.value.length - 1] : void 0
  }
  joined(t, n = 8) {
    let s = this.lines.get(t);
    if (!s) return {labels: [], data: [[]], more: 0};
    let o = [...s].sort((u, f) => Vr(f[1]) - Vr(u[1])),
        l = o.slice(0, n).sort((u, f) => u[0] < f[0] ? -1 : 1),
        i = [...new Set(l.flatMap(([, u]) => u.at))].sort((u, f) => u - f),
        r = new Map(i.map((u, f) => [u, f])), a = [i];
    for (let [, u] of l) {
      let f = new Array(i.length).fill(null);
      u.at.forEach((p, d) => {f[r.get(p)] = u.value[d]}), a.push(f)
    }
    return { labels: l.map(([u]) => u), data: a, more: o.length - l.length }
  }
};
function Vr(e) { return e.value[e.value.length - 1] ?? 0 }
function qr(e, t) {
  if (e && t.n !== void 0 && e.n !== void 0 && t.n <= e.n) return e;
  let n = e ?? {kind: t.kind, id: t.id, what: '', state: 'open'};
  return n.at = t.at, n.n = t.n ?? n.n, hf[t.kind]?.(n, t), n
}
var hf =
    {__proto__: null, council: pf, contract: df, market: mf, game: gf, layers: wf, pipeline: yf};
function pn(e, t) { e.push(t), e.length > 500 && e.splice(0, e.length - 500) }
function Gl(e, t) { t && e.length < 500 && !e.includes(t) && e.push(t) }
function Br(e, t) {
  let n = e.findIndex(s => s.from === t.from);
  n >= 0 ? e[n] = t : pn(e, t)
}
function pf(e, t) {
  e.members ??= [], e.ballots ??= [], t.subject && (e.what = t.subject),
  (t.what === 'call' || t.what === 'agenda') && Gl(e.members, t.to),
  t.what === 'agenda' &&
      (e.round !== t.round && (e.ballots = []), e.round = t.round,
       e.tally = (t.alternatives ?? []).map(n => [n, 0]), e.state = 'voting', delete e.ties),
  t.what === 'vote' &&
      (Br(e.ballots, {from: t.from, choice: (t.ballot ?? []).join(' > '), at: t.at}),
       e.tally = t.tally ?? e.tally),
  t.what === 'decision' &&
      (e.winner = t.decided ? t.winner : void 0, e.ties = t.decided ? void 0 : t.tied,
       e.why = t.why,
       e.state = t.decided ? 'decided' :
           t.tied          ? 'tie' :
                             'not decided')
}
function df(e, t) {
  e.client = t.client ?? e.client, e.bids ??= [], e.refusals ??= [], e.steps ??= [],
  e.awarded ??= [],
  (t.task || t.subject) && (e.what = [t.task, t.subject].filter(Boolean).join(': '));
  let n = t.bidder, s = e.bids.find(r => r.from === n), o = r => {
    s && (s.state = r)
  };
  ({
    __proto__: null,
    bid: () => Br(e.bids, {from: n, value: t.amount, at: t.at}),
    decline: () => Gl(e.refusals, n),
    award: () => {Gl(e.awarded, n), e.state = 'awarded'},
    acceptance: () => {o('accepted'), e.state = 'accepted'},
    withdrawal: () => {o('withdrawn'), e.state = 'withdrawn'},
    rejection: () => o('rejected'),
    termination: () => {o('terminated'), e.state = 'terminated'},
    report: () => {e.state = t.final ? 'finished' : 'under way', o(e.state)},
    settled: () => {o('settled'), e.state = 'settled'},
    released: () => o('released')
  })[t.what]
      ?.();
  let i = t.why || t.text || '';
  pn(e.steps, {at: t.at, what: `${t.what} ${n ?? ''}${i ? `: ${i}` : ''}`})
}
function mf(e, t) {
  if (e.prices ??= [], e.traders ??= [], e.what = e.what || 'market', t.what === 'call') {
    e.what = t.market ? `market of ${t.market}` : e.what;
    for (let n of t.traders ?? []) e.traders.some(s => s.name === n) || pn(e.traders, {name: n});
    if (!e.prices.length)
      for (let [n, s] of t.prices ?? []) pn(e.prices, [t.at, n, s])
  }
  t.what === 'clearing' &&
      (pn(e.prices, [t.at, t.good, t.price]), e.excess = t.excess, e.round = t.round),
      (t.what === 'result' || t.what === 'trades') &&
      (e.state = t.converged ? 'converged' : 'not converged',
       e.clears = t.converged ?
           (t.prices ?? []).map(([n, s]) => `${n} ${Number(s).toPrecision(4)}`).join(', ') :
           void 0,
       e.why = t.why)
}
function gf(e, t) {
  if (e.nodes ??= new Map, e.worth ??= new Map, e.what = e.what || `plan of ${t.arbiter ?? ''}`,
      t.what === 'draft') {
    for (let n of t.nodes ?? [])
      e.nodes.size < 500 &&
          e.nodes.set(n.node, {id: n.node, parent: n.parent, move: n.move, value: n.cost});
    e.state = 'negotiating'
  }
  if (t.what === 'critique')
    for (let n of t.judgements ?? []) {
      let s = e.nodes.get(n.node);
      s && Object.assign(s, {value: n.score, pruned: !n.feasible})
    }
  t.what === 'offer' && (e.plan = t.moves, e.value = t.cost),
      t.what === 'outcome' &&
      (e.state = t.agreed ? 'agreed' : 'not agreed', e.plan = t.moves ?? e.plan, e.why = t.why),
      e.tree = [...e.nodes.values()].filter(n => n.id !== void 0), e.best = $f(e.tree, e.plan ?? [])
}
function $f(e, t) {
  let n = [], s = e.find(l => !e.some(i => i.id === l.parent && i !== l));
  if (!s) return n;
  n.push(s.id);
  let o = [...t];
  s.move && s.move === o[0] && o.shift();
  for (let l of o) {
    let i = e.find(r => r.parent === s.id && r !== s && r.move === l);
    if (!i) break;
    n.push(i.id), s = i
  }
  return n
}
var _f = .25;
function wf(e, t) {
  e.layers ??= [], e.events ??= [], e.what = 'layers', e.state = 'running';
  let n = o => {
    o && e.layers.length < 40 && !e.layers.some(l => l.name === o) &&
        e.layers.push({name: o, level: e.layers.length})
  };
  n(t.to), n(t.from);
  let s = t.at + _f;
  if (pn(e.events, {at: t.at, until: s, layer: t.from, does: 'acts'}),
      t.what === 'suppresses' || t.what === 'inhibits') {
    let o = t.what === 'suppresses' ? 'suppressed' : 'inhibited';
    pn(e.events, {at: t.at, until: s, layer: t.to, does: o, by: t.from})
  }
}
function yf(e, t) {
  e.from = t.from, e.to = t.to, e.fill = t.fill ?? e.fill ?? 0,
  e.state = t.what === 'failed'             ? 'failed' :
      t.what === 'end' || t.what === 'done' ? 'ended' :
                                              'running',
  e.why = t.why ?? e.why, e.counts ??= [],
  t.sent !== void 0 && (pn(e.counts, [t.at, t.sent]), e.sent = t.sent)
}
function Gr(e) {
  let t = new Map;
  for (let {from: n, to: s} of e) {
    let o = new Set([n, s, ...t.get(n) ?? [], ...t.get(s) ?? []]);
    for (let l of o) t.set(l, o)
  }
  return [...new Set(t.values())].map(n => {
    let s = e.filter(r => n.has(r.from)), o = kf([...n], s), l = o.map(r => vf(r, s)),
        i = s.find(r => r.state === 'failed');
    return {
      kind: 'pipeline', id: o[0], what: `${o[0]} … ${o[o.length - 1]}`,
          at: Math.max(...s.map(r => r.at)), n: Math.max(...s.map(r => r.n ?? 0)), stages: l,
          state: i                          ? 'failed' :
          s.every(r => r.state === 'ended') ? 'ended' :
                                              'running',
          why: i?.why
    }
  })
}
function vf(e, t) {
  let n = t.filter(r => r.to === e), s = t.filter(r => r.from === e),
      o = n.reduce((r, a) => r + a.fill, 0), l = Math.max(16, ...t.map(r => r.fill)),
      i = s[0] ?? n[0];
  return { name: e, queue: o, share: n.length ? o / l : 0, done: i?.sent, rate: bf(i?.counts) }
}
function bf(e) {
  if (!e || e.length < 2) return;
  let [t, n] = [e[Math.max(0, e.length - 50)], e[e.length - 1]];
  return n[0] > t[0] ? (n[1] - t[1]) / (n[0] - t[0]) : void 0
}
function kf(e, t) {
  let n = [], s = new Set(e);
  for (; s.size;) {
    let o = [...s].find(l => !t.some(i => i.to === l && s.has(i.from) && i.from !== l)) ??
        s.values().next().value;
    s.delete(o), n.push(o)
  }
  return n
}
function Ur(e) {
  let t = [], n = new Map;
  for (let l of e.values()) {
    let i = l.waits;
    !i || !i.for || !i.for.length ||
        (n.set(l.name, i.for),
         t.push({ name: l.name, for: i.for, since: i.since ?? 0, what: i.what }))
  }
  let s = xf(n), o = new Map;
  for (let l of s)
    for (let i of l) o.set(i, l);
  for (let l of t) l.circle = o.get(l.name) ?? null;
  return t.sort((l, i) => !!i.circle - !!l.circle || l.since - i.since), { waiting: t, circles: s }
}
function xf(e) {
  let t = new Set, n = [];
  for (let s of e.keys()) {
    if (t.has(s)) continue;
    let o = [], l = new Map, i = [[s, 0]];
    for (l.set(s, 0), o.push(s); i.length;) {
      let r = i[i.length - 1], a = e.get(r[0]) ?? [];
      if (r[1] >= a.length) {
        i.pop(), o.pop(), l.delete(r[0]), t.add(r[0]);
        continue
      }
      let u = a[r[1]++];
      l.has(u) ? n.push(o.slice(l.get(u))) :
                 !t.has(u) && e.has(u) && (l.set(u, o.length), o.push(u), i.push([u, 0]))
    }
  }
  return n
}
function Yr(e, t, n = 50) {
  let s = [], o = new Set;
  for (; e && s.length < n;) {
    if (s.push(e), o.has(e)) return {chain: s, circle: !0};
    o.add(e), e = t.get(e)?.waits?.for?.[0]
  }
  return { chain: s, circle: !1 }
}
var Sf = 200, Mf = 500, Tf = 500, Kr = 50, Lo = class {
  constructor({clock: t, later: n} = {}) {
    this.clock = t ?? (() => performance.now()), this.later = n ?? ((s, o) => setTimeout(s, o)),
    this.listeners = new Set, this.frames = new Set, this.planned = !1,
    this.connection = {state: 'connecting', sentence: 'Connecting'}, this.wasLost = !1,
    this.hello = null, this.reset()
  }
  reset() {
    this.messages = new Eo(Math.min(1e5, this.hello?.held ?? 1e5)), this.series = new Co,
    this.agents = new Map, this.nodes = new Map, this.groups = [], this.decisions = new Map,
    this.panels = [], this.panelData = new Map, this.holds = [], this.acts = [], this.player = null,
    this.now = 0, this.heardAt = this.clock(), this.societyVersion = 0, this.surveyed = -1,
    this.found = {
      waiting: [],
      circles: []
    }
  }
  subscribe(t) { return this.listeners.add(t), () => this.listeners.delete(t) }
  changed() {
    for (let t of this.frames) t();
    this.planned || (this.planned = !0, this.later(() => {
      this.planned = !1;
      for (let t of [...this.listeners]) t()
    }, Sf))
  }
  changedNow() {
    for (let t of this.frames) t();
    for (let t of [...this.listeners]) t()
  }
  setConnection(t, n) {
    this.connection = {state: t, sentence: n}, this.wasLost ||= t === 'lost', this.changedNow()
  }
  time() {
    return this.player                   ? this.player.at :
        this.connection.state !== 'open' ? this.now :
                                           this.now + (this.clock() - this.heardAt) / 1e3
  }
  heard(t) { typeof t == 'number' && (this.now = t, this.heardAt = this.clock()) }
  may(t) {
    let n = this.hello?.rights?.[t];
    return n === !0 ?
        {allowed: !0} :
        {allowed: !1, why: typeof n == 'string' && n ? n : 'The server has not granted this.'}
  }
  get recorded() { return this.hello?.source === 'recording' }
  waits() {
    return this.surveyed !== this.societyVersion &&
               (this.found = Ur(this.agents), this.surveyed = this.societyVersion),
           this.found
  }
  take(t) {
    let n = Af[t.is];
    n && (n(this, t), this.changed())
  }
}
, Af = {
  __proto__: null,
  hello(e, t) {
    let n = e.hello, s = n && n.epoch === t.epoch && n.society === t.society, o = e.now;
    e.hello = t,
    s ? e.wasLost && e.messages.gap({at: t.now ?? o, missed: -1, why: 'connection'}) : e.reset(),
    e.wasLost = !1, e.heard(t.now), t.society && (document.title = `${t.society} · coracle view`)
  },
  batch(e, t) {
    e.heard(t.now);
    let n = e.messages;
    t.all && e.recorded && n.clear(), t.messages && n.append(t.messages),
        t.stages && n.stages(t.stages);
    for (let s of t.gaps ?? []) n.gap(s);
    t.folded && n.addFolded(t.now ?? e.now, t.folded, t.pairs)
  },
  society(e, t) {
    t.all && (e.agents.clear(), e.nodes.clear());
    for (let n of t.agents ?? []) e.agents.set(n.name, n);
    for (let n of t.gone ?? []) e.agents.delete(n);
    if (t.nodes) {
      e.nodes.clear();
      for (let n of t.nodes) e.nodes.set(String(n.lease), n)
    }
    t.groups && (e.groups = t.groups), e.societyVersion += 1
  },
  metrics(e, t) { e.series.describe(t.metrics ?? []) },
  series(e, t) { e.series.add(t.at, t.values ?? []) },
  decision(e, t) {
    let n = `${t.kind}
${t.id}`,
        s = qr(e.decisions.get(n), t);
    e.decisions.delete(n), e.decisions.set(n, s),
        e.decisions.size > Mf && e.decisions.delete(e.decisions.keys().next().value)
  },
  panels(e, t) {
    t.panels && (e.panels = t.panels.slice(0, Kr));
    let n = t.panel;
    n && (e.panelData.size < Kr || e.panelData.has(n.id)) && e.panelData.set(n.id, n)
  },
  held(e, t) { e.holds = t.holds ?? [] },
  player(e, t) {
    e.player && t.at < e.player.at - 1e-9 && (e.messages.clear(), e.decisions.clear()),
        e.player = t, e.heard(t.at)
  },
  acts(e, t) { e.acts = e.acts.concat(t.acts ?? []).slice(-Tf) }
};
function Xe(e) {
  if (!(e >= 0)) return '–';
  if (e < .001) return `${Math.round(e * 1e6)} µs`;
  if (e < .01) return `${(e * 1e3).toFixed(1)} ms`;
  if (e < 1) return `${Math.round(e * 1e3)} ms`;
  if (e < 60) return `${e.toFixed(1)} s`;
  let t = Math.floor(e);
  return e < 3600 ?
      `${Math.floor(t / 60)} min ${String(t % 60).padStart(2, '0')} s` :
      `${Math.floor(t / 3600)} h ${String(Math.floor(t / 60) % 60).padStart(2, '0')} min`
}
function ge(e) {
  if (!(e >= 0)) return '–';
  let t = Math.round(e * 1e3), n = (l, i) => String(l).padStart(i, '0'), s = Math.floor(t / 36e5),
      o = `${n(Math.floor(t / 6e4) % 60, 2)}:${n(Math.floor(t / 1e3) % 60, 2)}`;
  return `${s ? `${s}:` : ''}${o}.${n(t % 1e3, 3)}`
}
var Ul = ' ';
function I(e) {
  if (typeof e != 'number' || !isFinite(e)) return '–';
  if (e !== 0 && Math.abs(e) < 1) return String(+e.toPrecision(3));
  if (Math.abs(e) < 1e6) {
    let t = Number.isInteger(e) ? String(e) : e.toFixed(1);
    return t.replace(
        /\B(?=(\d{3})+(?!\d))/g, (n, s, o) => t.includes('.') && o > t.indexOf('.') ? '' : Ul)
  }
  return Math.abs(e) < 1e9 ? `${(e / 1e6).toFixed(2)}${Ul}M` : `${(e / 1e9).toFixed(2)}${Ul}G`
}
function Fs(e) {
  if (typeof e != 'number' || !isFinite(e)) return '–';
  if (e < 1024) return `${Math.round(e)} B`;
  let t = ['KiB', 'MiB', 'GiB', 'TiB'], n = -1;
  for (; e >= 1024 && n < 3;) e /= 1024, n += 1;
  return `${e.toFixed(e < 10 ? 1 : 0)} ${t[n]}`
}
function F(e) {
  return String(e ?? '').replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
      t => {
        let n = t.codePointAt(0);
        return n < 32 ? String.fromCodePoint(9216 + n) : n === 127 ? '␡' : `⟨${n.toString(16)}⟩`
      })
}
function D(e) { return F(e).replace(/[\r\n\t\u2028\u2029]+/g, ' ') }
function Yt(e) {
  let t = String(e ?? '').split('/').filter(n => n && !/^v\d+$/.test(n));
  return D(t[t.length - 1] ?? '')
}
function en(e) {
  let t = D(e);
  return t.slice(t.lastIndexOf('/') + 1) || t
}
function Ie(e, t, n) { return `${I(e)} ${e === 1 ? t : n ?? `${t}s`}` }
function Oo(e) {
  let t = Math.abs(e);
  return t >= 1e9 ? `${+ (e / 1e9).toFixed(1)}G` :
      t >= 1e6 ? `${+ (e / 1e6).toFixed(1)}M` :
      t >= 1e4 ? `${+ (e / 1e3).toFixed(0)}k` :
      t >= 1e3 ? `${+ (e / 1e3).toFixed(1)}k` :
                 String(+e.toFixed(3))
}
var Ef =
        [
          ['sequence', 'Sequence'], ['society', 'Society'], ['load', 'Load'],
          ['decisions', 'Decisions'], ['time', 'Time machine']
        ],
    No = ['system', 'light', 'dark'];
function Jr({app: e, store: t, page: n}) {
  let s = t.hello, o = t.connection.state, l = n === 'agent' ? 'society' : n;
  return _`<header class="head">
    <div class="brand"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M5 16h22c0 6-5 10-11 10S5 22 5 16z" />
        <path class="mast" d="M16 5v9" /></svg>
      <b>${s ? D(s.society ?? 'a society') : 'coracle view'}</b>
      <span class="note realization">${s ? D(s.realization ?? '') : ''}</span></div>
    <nav aria-label="Pages">${Ef.map(([i, r]) => _`<a href=${e.link(i)}
      aria-current=${i === l ? 'page' : void 0}>${r}</a>`)}</nav>
    <span class=${`connection ${o}`} role="status">${
      o === 'open'     ? t.recorded ? 'recording' : 'live' :
          o === 'lost' ? 'not connected' :
                         'connecting'}</span>
    <${Pf} />
  </header>
  <${Cf} app=${e} store=${t} />
  ${
      o === 'lost' &&
      _`<p class="banner" role="alert">${
          F(t.connection.sentence)} The picture below is from before.</p>`}`
}
function Pf() {
  let [e, t] = Q(Qr()), n = No[(No.indexOf(e) + 1) % No.length];
  return _`<button class="theme" onClick=${() => {
    try {
      localStorage.setItem('theme', n)
    } catch {
    }
    Zr(n), t(n), dispatchEvent(new Event('themechange'))
  }} aria-label=${`Colours: ${e}. Switch to ${n}`}>
    <span aria-hidden="true">${{system: '◐', light: '☀', dark: '☾'}[e]}</span></button>`
}
function Qr() {
  try {
    let e = localStorage.getItem('theme');
    return No.includes(e) ? e : 'system'
  } catch {
    return 'system'
  }
}
function Zr(e) {
  e === 'system' ? delete document.documentElement.dataset.theme :
                   document.documentElement.dataset.theme = e
}
Zr(Qr());
function Cf({app: e, store: t}) {
  let {waiting: n, circles: s} = t.waits(), o = t.messages.outcomes, i = [
    ['Errors', [...t.agents.values()].reduce((r, a) => r + (a.errors ?? 0), 0)],
    ['Refused', o.get('refused') ?? 0], ['Expired', o.get('expired') ?? 0],
    ['Undelivered', (o.get('undeliverable') ?? 0) + (o.get('custodian_lost') ?? 0)],
    ['Dropped', o.get('dropped') ?? 0], ['Missed', t.messages.missed]
  ];
  return _`<section class="trouble" aria-label="What is stuck">
    <div class="waiting-line">${Lf(e, t, n, s)}</div>
    <dl class="counters">${i.map(([r, a]) => _`<div class=${a ? 'some' : ''}>
      <dt>${r}</dt><dd>${Oo(a)}</dd></div>`)}</dl>
  </section>`
}
function Lf(e, t, n, s) {
  if (!t.hello)
    return _`<span class="note">The society is not there yet. The page waits for it.</span>`;
  let o = t.may('overhear');
  if (!o.allowed && !t.agents.size) return _`<span class="note">${F(o.why)}</span>`;
  if (s.length) {
    let i = s[0];
    return _`<span class="mark stuck" aria-hidden="true">⟲</span> <b class="bad">Circle of waits:</b> <span>${
        i.concat(i[0]).slice(0, 6).map(
            (r, a) => _`${a ? _`<span aria-label="waits for"> → </span>` : ''}<a href=${
                e.link('agent', r)}>${
                D(r)}</a>`)}
      <span class="note">${
                           ` for ${
                               Xe(t.time() -
                                  Math.max(...i.map(r => t.agents.get(r)?.waits?.since ?? 0)))}${
                               s.length > 1 ? `; ${Ie(s.length - 1, 'more circle')}` :
                                              ''}`}</span></span>`
  }
  if (!n.length)
    return _`<span class="mark calm" aria-hidden="true">✓</span> <span>Nobody waits for another agent.</span>`;
  let l = n[0];
  return _`<span class="mark waits" aria-hidden="true">…</span> <b>Waiting longest:</b> <span><a href=${
      e.link('agent', l.name)}>${D(l.name)}</a>
    ${' '}for <a href=${e.link('agent', l.for[0])}>${D(l.for[0])}</a>${
      l.for.length > 1 ? ` and ${I(l.for.length - 1)} more` :
                         ''}
    <span class="note">${
                         ` ${l.what ? `${D(l.what)}, ` : ''}${Xe(t.time() - l.since)}${
                             n.length > 1 ? `; ${Ie(n.length - 1, 'other waits', 'others wait')}` :
                                            ''}`}</span></span>`
}
var Of = 2e4;
function Do(e) {
  let t = String(e ?? '').split(/[\s,]+/).filter(Boolean).slice(0, 20).map(Nf);
  return t.length ? n => t.some(s => s(n)) : null
}
function Nf(e) {
  if (!e.includes('*')) return o => String(o ?? '').includes(e);
  let t = e.split('*'), n = t.shift(), s = t.pop();
  return o => {
    if (o = String(o ?? ''), o.length < n.length + s.length || !o.startsWith(n) || !o.endsWith(s))
      return !1;
    let l = o.length - s.length, i = n.length;
    for (let r of t) {
      let a = o.indexOf(r, i);
      if (a < 0 || a + r.length > l) return !1;
      i = a + r.length
    }
    return !0
  }
}
function Df(e) {
  let t = Do(e.names), n = Do(e.types), s = String(e.text ?? '').toLowerCase(),
      o = e.conversation ?? '';
  return !t && !n && !s && o === '' && !e.trouble ?
      null :
      l => t && !t(l.from) && !t(l.to) && !t(l.group) || n && !n(l.type) ||
              o !== '' && String(l.conv ?? '') !== String(o) ||
              s && !String(l.text ?? '').toLowerCase().includes(s) ?
      !1 :
      !e.trouble || Ir(l)
}
var zs = class {
  constructor(t) { this.messages = t, this.filter = {}, this.rebuild() }
  setFilter(t) { this.filter = t, this.rebuild() }
  rebuild() {
    let t = this.messages;
    this.test = Df(this.filter), this.traffic = new Map,
    this.rows = this.test ? t.rows.filter(n => n.gap || this.test(n)) : t.rows;
    for (let n of this.rows) this.note(n);
    this.added = t.added, this.reshaped = t.reshaped, this.trimmed = t.trimmed,
    this.version = (this.version ?? 0) + 1
  }
  update() {
    let t = this.messages, n = this.traffic.size;
    if (t.reshaped !== this.reshaped) {
      let o = this.traffic;
      return this.rebuild(), this.traffic.size !== o.size
    }
    if (t.trimmed !== this.trimmed) {
      let o = t.rows.length ? t.rows[0].n : 0;
      this.rows = this.test ? this.rows.slice(Po(this.rows, o)) : t.rows, this.trimmed = t.trimmed
    }
    let s = t.added - this.added;
    this.added = t.added;
    for (let o = Math.max(0, t.rows.length - s); o < t.rows.length; o += 1) {
      let l = t.rows[o];
      this.test && (l.gap || this.test(l)) && this.rows.push(l),
          (!this.test || l.gap || this.test(l)) && this.note(l)
    }
    return this.traffic.size !== n
  }
  note(t) { t.gap || (this.noteName(t.from), this.noteName(t.to)) }
  noteName(t) {
    let n = this.traffic.get(t);
    n !== void 0 ? this.traffic.set(t, n + 1) :
                   t !== void 0 && this.traffic.size < Of && this.traffic.set(t, 1)
  }
  indexOf(t) { return Po(this.rows, t) }
  search(t, n, s) {
    let o = t.toLowerCase(), l = this.rows;
    for (let i = 0; i < l.length; i += 1) {
      n = (n + s + l.length) % l.length;
      let r = l[n];
      if (r.gap) continue;
      if (`${r.from}
${r.to}
${r.type ?? ''}
${r.text ?? ''}`
              .toLowerCase()
              .includes(o))
        return n
    }
    return -1
  }
};
function ea(e, t, n = new Set, s = new Set) {
  let l = [...Ff(e).children.values()];
  for (;;) {
    let i = Rf(l, t, n, s);
    if (i < 0) break;
    l = [...l.slice(0, i), ...l[i].children.values(), ...l.slice(i + 1)]
  }
  if (l.length > t) {
    let i = new Set([...l].sort((a, u) => u.count - a.count).slice(0, t - 1)),
        r = l.filter(a => !i.has(a));
    l = l.filter(a => i.has(a)), l.push({
      key: '…',
      leaf: !1,
      children: new Map,
      count: r.reduce((a, u) => a + u.count, 0),
      names: r.reduce((a, u) => a + u.names, 0)
    })
  }
  return l.map(i => ({
                 key: i.key,
                 fold: !i.leaf,
                 members: i.names,
                 count: i.count,
                 label: i.leaf     ? i.key :
                     i.key === '…' ? 'others' :
                                     i.key
               }))
}
function Rf(e, t, n, s) {
  let o = -1;
  for (let l = 0; l < e.length; l += 1) {
    let i = e[l];
    if (i.leaf || s.has(i.key)) continue;
    if (n.has(i.key)) return l;
    e.length - 1 + i.children.size <= t && (o < 0 || i.count > e[o].count) && (o = l)
  }
  return o
}
function Ff(e) {
  let t = Xr('', !1);
  for (let [n, s] of e) {
    let o = String(n).split('/').slice(0, 12), l = t, i = '';
    o.forEach((r, a) => {
      let u = a === o.length - 1;
      i += u ? r : `${r}/`;
      let f = u ? String(n) : i, p = l.children.get(f);
      p || l.children.set(f, p = Xr(f, u)), p.count += s, l = p
    })
  }
  return ta(t, 0), t
}
function Xr(e, t) {
  return { key: e, leaf: t, children: new Map, count: 0, names: t ? 1 : 0 }
}
function ta(e, t) {
  for (let [n, s] of e.children) {
    if (s.leaf) {
      e.names += 1;
      continue
    }
    ta(s, t + 1), e.names += s.names,
        s.children.size === 1 && e.children.set(n, s.children.values().next().value)
  }
}
var Hs = class {
  constructor(t) {
    this.list = t, this.places = new Map(t.map((n, s) => [n.key, s])), this.cache = new Map
  }
  of(t) {
    let n = this.cache.get(t);
    return n === void 0 &&
               (n = this.search(String(t)), this.cache.size < 2e4 && this.cache.set(t, n)),
           n
  }
  search(t) {
    if (this.places.has(t)) return this.places.get(t);
    for (let n = t.lastIndexOf('/'); n >= 0; n = t.lastIndexOf('/', n - 1)) {
      let s = this.places.get(t.slice(0, n + 1));
      if (s !== void 0) return s;
      if (n === 0) break
    }
    return this.places.get('…') ?? -1
  }
};
var Le = 32, na = '12px system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif',
    oa = '11px system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif';
function Yl(e, t) {
  let n = e < 620, s = n ? 12 : 92, o = n ? 10 : 118, l = (e - s - o) / Math.max(1, t);
  return { narrow: n, left: s, right: o, step: l, x: i => s + l * (i + .5) }
}
function la(e) {
  let t = e < 620, n = e - (t ? 22 : 210);
  return Math.max(2, Math.floor(n / (t ? 84 : 104)))
}
var sa = {
  __proto__: null,
  rate: 'were more than the rate that the view asked for',
  mailbox: 'found the view\'s mailbox full',
  connection: 'went by while the page was not connected',
  folded: 'are only counted, because they were too many to show',
  narrowed: 'were not sent here while the selection was narrower',
  unknown: 'were missed for an unknown reason'
};
function Kl(e) {
  let t = e.missed > 0 ? I(e.missed) : 'An unknown number of',
      n = e.node ? ` (node ${D(e.node)})` : '';
  return `${t} messages ${sa[e.why] ?? sa.unknown}${n}`
}
function ia(e, t) {
  let n = Yl(t.width, t.lanes.list.length), s = Math.max(0, Math.floor(t.top / Le)),
      o = Math.min(t.rows.length, s + Math.ceil(t.height / Le) + 1);
  e.lineWidth = 1, e.lineJoin = 'round', zf(e, t, n);
  for (let l = s; l < o; l += 1) {
    let i = t.rows[l], r = l * Le - t.top;
    i.gap ? Hf(e, t, i, r) : If(e, t, n, i, r, s)
  }
  for (let l = s; l < o; l += 1) {
    let i = t.rows[l];
    i.gap || Wf(e, t, n, i, l * Le - t.top)
  }
}
function zf(e, t, n) {
  e.strokeStyle = t.colours.lane, e.beginPath(), t.lanes.list.forEach((s, o) => {
    let l = Math.round(n.x(o)) + .5;
    e.moveTo(l, 0), e.lineTo(l, t.height)
  }),
  e.stroke()
}
function Hf(e, t, n, s) {
  e.fillStyle = t.colours.band, e.fillRect(0, s + 4, t.width, Le - 8),
  e.strokeStyle = t.colours.muted, e.setLineDash([2, 4]), e.beginPath(), e.moveTo(0, s + 4.5),
  e.lineTo(t.width, s + 4.5), e.moveTo(0, s + Le - 4.5), e.lineTo(t.width, s + Le - 4.5),
  e.stroke(), e.setLineDash([]), e.font = oa, e.fillStyle = t.colours.text, e.textAlign = 'left',
  e.fillText(Kl(n), 12, s + 20, t.width - 24)
}
function If(e, t, n, s, o, l) {
  let i = s.answers ? s.answers : s.replied ? s.n : 0, r = s.answers ? s.n : s.replied;
  if (!i || !r) return;
  let a = t.indexOf(i), u = t.indexOf(r);
  if (t.rows[a]?.n !== i || t.rows[u]?.n !== r || s.answers && a >= l) return;
  let f = t.lanes.of(s.answers ? s.from : s.to);
  if (f < 0) return;
  let p = n.x(f), d = Math.max(-5, a * Le - t.top + 23),
      m = Math.min(t.height + 5, u * Le - t.top + 23);
  e.fillStyle = t.colours['accent-soft'], e.strokeStyle = t.colours.accent, e.beginPath(),
  e.rect(Math.round(p) - 3.5, d, 7, Math.max(2, m - d)), e.fill(), e.stroke()
}
function Wf(e, t, n, s, o) {
  let l = t.colours, i = Xt(s, t.reported), r = Gt[i],
      a = t.conversation && s.conv !== t.conversation;
  s.n === t.selected && (e.fillStyle = l['accent-soft'], e.fillRect(0, o, t.width, Le)),
      e.globalAlpha = a ? .45 : 1;
  let u = t.lanes.of(s.from), f = t.lanes.of(s.to), p = l[r.colour.slice(2)];
  n.narrow || jf(e, t, s, o, r, i, p), e.strokeStyle = p, e.fillStyle = p,
                                       e.lineWidth = s.n === t.selected ? 2 : 1.4;
  let d = s.kind === 'reply' || s.kind === 'failure';
  e.setLineDash(d ? [5, 3] : []);
  let m = o + 23, k = n.x(Math.max(0, u)), x = n.x(Math.max(0, f)),
      w = u === f ? -1 : Math.sign(x - k);
  if (e.beginPath(), u === f) {
    let S = k + Math.min(28, n.step / 2.5);
    e.moveTo(k, m - 8), e.lineTo(S, m - 8), e.lineTo(S, m), e.lineTo(k + 9, m)
  } else e.moveTo(k, m), e.lineTo(x - w * 9, m);
  e.stroke(), e.setLineDash([]), So(e, r.shape, x, m, w), qf(e, t, n, s, o, u, f),
      e.globalAlpha = 1, e.lineWidth = 1
}
function jf(e, t, n, s, o, l, i) {
  e.font = oa, e.textAlign = 'left', e.fillStyle = t.colours.muted,
  e.fillText(ge(n.at), 12, s + 27), e.textAlign = 'right',
  l !== 'consumed' && l !== 'sent' &&
      (e.fillStyle = i,
       e.fillText(n.kind === 'failure' ? 'failure' : o.word, t.width - 14, s + 27, 96)),
  e.textAlign = 'left'
}
function Vf(e, t, n, s) {
  let o = Yt(e.type), l = o ? `${o}  ${D(e.text)}` : D(e.text);
  return (t.list[n]?.fold || t.list[s]?.fold) && (l = `${en(e.from)} → ${en(e.to)}   ${l}`),
         l || '(empty)'
}
function qf(e, t, n, s, o, l, i) {
  let r = l === i, a = Math.min(n.x(Math.max(0, l)), n.x(Math.max(0, i))) + (r ? 36 : 10),
      u = r ? n.step * 2 : Math.abs(n.x(i) - n.x(l)) - 20, f = t.width - n.right - 4,
      p = Math.min(f - a, Math.max(u, n.step * 1.6));
  if (p < 12) return;
  let d = Vf(s, t.lanes, l, i).slice(0, 300);
  e.font = s.kind === 'request' ? `600 ${na}` : na, e.textAlign = 'left';
  let m = e.measureText(d).width;
  for (let k = 0; m > p && d.length > 2 && k < 4; k += 1)
    d = `${d.slice(0, Math.max(1, Math.floor(d.length * p / m) - 1))}…`, m = e.measureText(d).width;
  m = Math.min(p, m),
  e.fillStyle = s.n === t.selected ? t.colours['accent-soft'] : t.colours.surface,
  e.fillRect(a - 2, o + 3, m + 4, 15), e.fillStyle = t.colours.text, e.fillText(d, a, o + 15, p)
}
function Bf(e, t) {
  if (!e) return 'No message is selected';
  if (e.gap) return Kl(e);
  let n = e.kind ?? 'message';
  return `${ge(e.at)}: ${n} from ${F(e.from)} to ${F(e.to)}, ${Gt[Xt(e, t)].word}. ${Yt(e.type)} ${
      D(e.text)}`
}
var Ws = class {
  constructor(t) {
    this.selection = t, this.following = !0, this.anchor = 0, this.offset = 0,
    this.opened = new Set, this.closed = new Set, this.lanes = new Hs([]), this.planned = '',
    this.frameMs = []
  }
  plan(t) {
    let n = `${t}|${this.selection.traffic.size}|${this.selection.version}|${[...this.opened]}|${
            [...this.closed]}`;
    if (n === this.planned) return !1;
    this.planned = n;
    let s = this.lanes.list.map(o => `${o.key}${o.members}`).join(`
`);
    return this.lanes = new Hs(ea(this.selection.traffic, la(t), this.opened, this.closed)),
           s !== this.lanes.list.map(o => `${o.key}${o.members}`).join(`
`)
  }
  measured(t) { this.frameMs.push(t), this.frameMs.length > 4e3 && this.frameMs.splice(0, 2e3) }
};
function ra(
    {store: e, position: t, selected: n, conversation: s, onSelect: o, onFollow: l, onOpen: i}) {
  let r = pe(), a = pe(), u = pe(), f = pe(), [p, d] = Q({width: 0, height: 0}), [, m] = Q(0),
      k = t.selection;
  f.current = () => {
    if (!r.current || !p.width) return;
    let C = performance.now();
    k.update();
    let E = t.plan(p.width), H = cs(a.current, p.width, p.height);
    Gf(r.current, u.current, t), ia(H, {
      rows: k.rows,
      lanes: t.lanes,
      width: p.width,
      height: p.height,
      top: r.current.scrollTop,
      selected: n,
      conversation: s,
      colours: Ut(),
      reported: e.messages.reported,
      indexOf: T => k.indexOf(T)
    }),
        t.measured(performance.now() - C), E && m(T => T + 1)
  };
  let x = pe(null);
  x.current || (x.current = To(() => f.current())), xe(() => {
    let C = x.current.mark;
    return e.frames.add(C), () => {
      e.frames.delete(C), x.current.stop()
    }
  }, [e]), Tt(() => {
    let C = new ResizeObserver(() => {
      let E = r.current;
      E && d({width: E.clientWidth, height: E.clientHeight})
    });
    return C.observe(r.current), () => C.disconnect()
  }, []), Tt(() => x.current.mark());
  let w =
          C => {
            let E = C.target, H = E.scrollHeight - E.clientHeight - E.scrollTop < Le,
                T = k.rows[Math.floor(E.scrollTop / Le)];
            t.anchor = T?.n ?? 0, t.offset = E.scrollTop % Le,
            !(Math.abs((t.expected ?? -9) - E.scrollTop) < 2) && t.following !== H &&
                (t.following = H, l(H)),
            x.current.mark()
          },
      S = C => Math.floor(
          (C.clientY - r.current.getBoundingClientRect().top + r.current.scrollTop) / Le),
      b = C => {
        let E = k.rows[S(C)];
        E && !E.gap && o(E.n, !0)
      }, A = C => {
        let E = k.rows, H = {ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15}[C.key],
            T = n ? k.indexOf(n) : E.length;
        if (H) T += H;
        else if (C.key === 'Home') T = 0;
        else if (C.key === 'End') T = E.length - 1;
        else if (C.key === 'Enter' && n) {
          o(n, !0);
          return
        } else return;
        C.preventDefault(), T = Math.max(0, Math.min(E.length - 1, T));
        let j = H < 0 || C.key === 'End' ? -1 : 1;
        for (; E[T]?.gap && E[T + j];) T += j;
        !E[T] || E[T].gap ||
            (t.following = C.key === 'End', l(t.following), Jl(r.current, t, T), o(E[T].n, !1))
      }, y = n ? e.messages.find(n) : null;
  return _`<div class="sequence">
    <${Uf} position=${t} width=${p.width} onOpen=${i}
      onFold=${() => {
    m(C => C + 1), x.current.mark()
  }} />
    <div class="sequence-scroll" ref=${r} tabindex="0" role="listbox" onScroll=${w}
      onClick=${b} onKeyDown=${A} aria-label="Messages; arrow keys select, Enter opens"
      aria-activedescendant="sequence-row">
      <canvas ref=${a} aria-hidden="true"></canvas>
      <div ref=${u} class="spacer"><div id="sequence-row" role="option" aria-selected=${!!y}
        class="hidden">${Bf(y, e.messages.reported)}</div></div>
    </div>
  </div>`
}
function Gf(e, t, n) {
  let s = n.selection.rows, o = Math.max(s.length * Le + 8, e.clientHeight),
      l = `${o} ${e.clientHeight}`;
  t.dataset.shape !== l && (t.dataset.shape = l, t.style.height = `${o - e.clientHeight}px`);
  let i = e.scrollTop;
  n.following ? i = o - e.clientHeight :
                n.anchor && (i = n.selection.indexOf(n.anchor) * Le + n.offset),
                Math.abs(i - e.scrollTop) >= 1 && (n.expected = i, e.scrollTop = i)
}
function Jl(e, t, n) {
  let s = n * Le, o = e.scrollTop;
  s<o ? o = s : s + Le>o + e.clientHeight && (o = s + Le - e.clientHeight),
      t.anchor = t.selection.rows[Math.floor(o / Le)]?.n ?? 0, t.offset = o % Le, e.scrollTop = o
}
function Uf({position: e, width: t, onFold: n, onOpen: s}) {
  let o = e.lanes.list, l = Yl(t, o.length), i = a => {
    a.fold ? (e.opened.add(a.key), e.closed.delete(a.key)) : s(a.key), n()
  }, r = a => {
    e.closed.add(a), e.opened.delete(a), n()
  };
  return _`<div class="lifelines">
    ${!l.narrow && _`<span class="lifelines-time">time</span>`}
    ${
      o.map(
          (a, u) => _`<div key=${u} class=${
              !a.fold && Is(a.key) && l.step > 110 ? 'lifeline foldable' : 'lifeline'} style=${
              { transform: `translateX(${l.x(u) - l.step / 2}px)`, width: `${l.step}px` }}>
      <button class=${a.fold ? 'fold' : ''} title=${F(a.key)} onClick=${() => i(a)}>
        <i class="hidden">${a.fold ? 'Unfold' : 'Open'} </i><span>${
              a.fold ? D(a.label) : en(a.label)}</span>
        <small>${a.fold ? `${a.members} agents` : Is(a.key)}</small></button>
      ${!a.fold && Is(a.key) && l.step > 110 && _`<button class="fold-up"
        aria-label=${`Fold ${F(Is(a.key))}`} title="Fold agents with this prefix"
        onClick=${() => r(Is(a.key))}>⊟</button>`}
    </div>`)}
  </div>`
}
function Is(e) { return e.slice(0, e.lastIndexOf('/') + 1) }
var aa = 50, Yf = 3;
function js({value: e, name: t, depth: n = 0, pairs: s = !1}) {
  let [o, l] = Q(n < Yf), [i, r] = Q(aa),
          a = t === void 0 ? null : _`<span class="tree-name">${F(t)}</span>`;
  if (e === null || typeof e != 'object')
    return _`<div class="tree-leaf">${a}<${Jf} value=${e} /></div>`;
  let u = Array.isArray(e)      ? e.map((p, d) => [d, p]) :
      s && Array.isArray(e.map) ? e.map.map(([p, d]) => [Kf(p), d]) :
                                  Object.entries(e),
      f = Array.isArray(e) ? `list of ${I(u.length)}` : `map of ${I(u.length)}`;
  return _`<div class="tree">
    <button class="tree-fold" aria-expanded=${o} onClick=${() => l(!o)}>
      <span aria-hidden="true">${o ? '▾' : '▸'}</span> ${a}<span class="tree-what">${
      f}</span></button>
    ${
      o &&
      _`<div class="tree-inside">
      ${
          u.slice(0, i).map(
              ([p, d], m) => _`<${js} key=${m} name=${p} pairs=${s} value=${d} depth=${n + 1} />`)}
      ${u.length > i && _`<button onClick=${() => r(i + aa * 4)}>
        Show more of ${I(u.length - i)}</button>`}
    </div>`}
  </div>`
}
function Kf(e) { return typeof e == 'string' ? e : JSON.stringify(e) }
function Jf({value: e}) {
  let t = e === null ? 'null' : typeof e, n = t === 'string' ? `“${F(e)}”` : String(e);
  return _`<span class=${`tree-${t}`}>${n}</span>`
}
function ca({app: e, store: t, n, onClose: s, onFilter: o, onSelect: l}) {
  let i = t.messages.find(n), [r, a] = Q(null), u = pe();
  xe(() => {
    let m = !0;
    return e.ask('message', {n}).then(k => m && a({ok: k}), k => m && a({error: k.message})),
           () => {
             m = !1
           }
  }, [n, i?.outcome]);
  let f = {...i, ...r?.ok?.message}, p = Xt(f, t.messages.reported);
  return _`<aside class="detail" aria-label="The selected message" onKeyDown=${
      m => m.key === 'Escape' && s()}>
    <header>
      <h2 ref=${u}>${F(f.type) || 'Text'}</h2>
      <button onClick=${s} aria-label="Close the message">✕</button>
    </header>
    <p class="route"><a href=${e.link('agent', f.from)}>${F(f.from)}</a>
      <span aria-label="to"> → </span><a href=${e.link('agent', f.to)}>${F(f.to)}</a></p>
    <p><${Wr} name=${p} reason=${f.reason && D(f.reason)} />
      ${f.kind && _`<span class="chip">${f.kind}</span>`}
      ${f.group && _`<span class="chip">to group ${D(f.group)}</span>`}
      ${f.earlier && _`<span class="chip">sent before the view began</span>`}</p>
    <div class="buttons">
      ${f.conv !== void 0 && _`<button
        onClick=${() => o({
                    conversation: String(f.conv)
                  })}>Only this conversation</button>`}
      ${f.answers && _`<button onClick=${() => l(f.answers)}>Show the request</button>`}
      ${f.replied && _`<button onClick=${() => l(f.replied)}>Show the reply</button>`}
      ${
      t.recorded && _`<button onClick=${() => e.go('time', String(n))}>Replay from here…</button>`}
    </div>
    <h3>Content</h3>
    ${r?.error && _`<p class="bad">${r.error}</p>`}
    <${eh} tree=${r?.ok?.tree} text=${f.text} />
    <h3>Stages</h3>
    <${Xf} stages=${r?.ok?.stages ?? Zf(f)} />
    <h3>Facts</h3>
    <dl class="facts">
      ${tn('Sent at', ge(f.at))}
      ${tn('Size', Fs(f.size ?? 0))}
      ${tn('Conversation', f.conv)}
      ${tn('Custody', r?.ok?.custody && Ql(r.ok.custody))}
      ${tn('Trace', r?.ok?.trace && Ql(r.ok.trace))}
      ${tn('Node', f.node)}
      ${tn('Life of the sender', f.life)}
      ${tn('Number', n)}
    </dl>
    ${r?.ok?.headers && _`<h3>Headers</h3><${Qf} headers=${r.ok.headers} />`}
  </aside>`
}
function tn(e, t) {
  return t == null || t === '' || t === !1 ? null : _`<dt>${e}</dt><dd>${F(t)}</dd>`
}
function Ql(e) { return typeof e == 'string' ? e : JSON.stringify(e) }
function Qf({headers: e}) {
  let t = Array.isArray(e) ? e : Object.entries(e);
  return _`<dl class="facts">${t.map(([n, s]) => tn(F(n), Ql(s)))}</dl>`
}
function Zf(e) {
  let t = [{at: e.at, what: 'sent'}];
  return e.kept && t.push({at: e.kept, what: 'kept in the mailbox'}),
         e.taken && t.push({at: e.taken, what: 'handed out'}),
         e.ended && t.push({at: e.ended, what: e.outcome ?? 'ended'}), t
}
function Xf({stages: e}) {
  let t = e[0]?.at ?? 0;
  return _`<ol class="stages">${e.map((n, s) => _`<li>
    <span class="what">${F(n.what)}</span>
    <time>${ge(n.at)}</time>
    <span class="since">${s ? `+${Xe(n.at - t)}` : ''}</span></li>`)}</ol>`
}
function eh({tree: e, text: t}) {
  let [n, s] = Q('tree');
  if (!e) return _`<pre class="content">${F(t) || '(empty)'}</pre>`;
  let o = e.text ?? e.diagnostic ?? t;
  return e.kind === 'text' || e.kind === 'acl' ?
      _`<pre class="content">${F(o) || '(empty)'}</pre>` :
      e.kind === 'bytes' ?
      _`<p class="note">${e.why ? F(e.why) : 'This content has no form that the view knows.'}</p>
      <pre class="content">${F(e.hex || o)}</pre>` :
      _`<div class="segments" role="group" aria-label="Form of the content">
      <button aria-pressed=${n === 'tree'} onClick=${() => s('tree')}>Tree</button>
      <button aria-pressed=${n === 'text'} onClick=${() => s('text')}>Text</button>
    </div>
    ${
          n === 'tree' && e.value !== void 0 ? _`<${js} value=${e.value} pairs=${!0} />` :
                                               _`<pre class="content">${F(o)}</pre>`}`
}
function Ro({app: e, store: t, to: n}) {
  let [s, o] = Q(n ?? ''), [l, i] = Q(''), [r, a] = Q('');
  if (t.recorded) return null;
  let u = async () => {
    let f = r ? {to: s, type: r, json: th(l)} : {to: s, text: l}, p = await e.ask('send', f);
    return typeof p == 'string' ? `Sent: ${p}.` : 'Sent.'
  };
  return _`<fieldset class="send"><legend>Send as an operator</legend>
    <${En} store=${t} right="send" what="Sending is off" />
    ${
      t.may('send').allowed &&
      _`
      ${!n && _`<${Re} label="To" value=${s} onInput=${o} width="130px" type="text" />`}
      <${Re} label="Type (then JSON)" value=${r} onInput=${
          a} placeholder="none: text" width="140px" type="text" />
      <${Re} label="Content" value=${l} onInput=${i} width="200px" type="text" />
      <${At} store=${t} right="send" label="Send" action=${u} />`}
  </fieldset>`
}
function th(e) {
  try {
    return JSON.parse(e)
  } catch {
    throw new Error('The content is no JSON. Correct it, or leave the type empty to send text.')
  }
}
var Fo = class {
  constructor(t) {
    this.position = new Ws(new zs(t.messages)),
    this.filter = {names: '', types: '', conversation: '', text: '', trouble: !1},
    this.selected = 0, this.word = ''
  }
  follow(t) {
    if (this.position.selection.messages === t.messages) return;
    let n = new zs(t.messages);
    this.position = new Ws(n), n.setFilter(this.filter), this.selected = 0
  }
};
function zo({app: e, store: t}) {
  let n = e.sequence;
  n.follow(t);
  let s = n.position;
  s.selection.update();
  let [, o] = Q(0), l = () => o(y => y + 1), [i, r] = Q(''), [a, u] = Q(!1), f = pe(!1), p = pe(0),
         d = y => {
           n.filter = {...n.filter, ...y}, s.selection.setFilter(n.filter), s.planned = '', l(),
           clearTimeout(p.current), p.current = setTimeout(() => e.select(n.filter), 300)
         };
  xe(() => (e.filterBy = d, () => {e.filterBy = null}));
  let m =
          (y, C) => {
            n.selected = y, f.current = f.current || C, l()
          },
      k =
          y => {
            s.following = y, !y && !s.anchor && (s.anchor = s.selection.rows[0]?.n ?? 0), l()
          },
      x =
          y => {
            let C = s.selection;
            if (!n.word || !C.rows.length) return;
            let E = n.selected ? C.indexOf(n.selected) : C.rows.length, H = C.search(n.word, E, y);
            if (H < 0) {
              r(`No message here has “${D(n.word)}”.`);
              return
            }
            s.following = !1;
            let T = document.querySelector('.sequence-scroll');
            e.show(T, s, H), r(`Message ${I(H + 1)} of ${I(C.rows.length)}`), m(C.rows[H].n, !0)
          },
      w = t.may('overhear'), S = is(() => Object.values(n.filter).some(Boolean), [n.filter]),
      b = () => {
        n.selected = 0, f.current = !1, l()
      }, A = n.selected > 0 && f.current;
  return _`<div class=${`page sequence-page${A ? ' with-detail' : ''}`}>
    <div class="tools">
      <${Mo} label=${s.following ? 'Pause' : 'Paused'} on=${!s.following}
        onChange=${y => k(!y)} />
      <${Re} label="Agents" value=${n.filter.names} placeholder="agents, lab/*" width="150px"
        onInput=${y => d({
                    names: y
                  })} />
      <${Re} label="Search" value=${n.word} placeholder="search" width="160px"
        onInput=${y => {
    n.word = y, l()
  }}
        onKeyDown=${y => y.key === 'Enter' && x(y.shiftKey ? 1 : -1)} />
      <button onClick=${() => x(-1)} aria-label="Find the one before">↑</button>
      <button onClick=${() => x(1)} aria-label="Find the one after">↓</button>
      <${Mo} label="Only trouble" on=${n.filter.trouble}
        onChange=${y => d({
                     trouble: y
                   })} />
      <${Mo} label="More" on=${a} onChange=${u} />
      ${S && _`<button onClick=${() => d({
                                   names: '',
                                   types: '',
                                   conversation: '',
                                   text: '',
                                   trouble: !1
                                 })}>Show all</button>`}
      <span class="note" role="status">${i}</span>
      <span class="grow"></span>
      <span class="note held">${
                                   `${I(s.selection.rows.length)} of ${
                                       I(t.messages.rows.length)} rows`}</span>
    </div>
    ${a && _`<div class="tools second">
      <${Re} label="Type" value=${n.filter.types} placeholder="coracle/caf/*" width="150px"
        onInput=${y => d({
                    types: y
                  })} />
      <${Re} label="Text" value=${n.filter.text} width="150px" onInput=${y => d({
                                                                           text: y
                                                                         })} />
      <${Re} label="Conversation" value=${n.filter.conversation} width="140px"
        onInput=${y => d({
                    conversation: y
                  })} />
      <${nh} app=${e} store=${t} />
    </div>`}
    ${!w.allowed && _`<p class="whynot wide">Messages are not shown: ${w.why}</p>`}
    ${
      w.allowed && !t.messages.rows.length ?
          _`<${ht} title="No message yet">
          ${
              t.hello ? 'Messages appear here as agents send them.' :
                        'The society is not there yet. The page waits for it.'}<//>` :
          _`<${ra} store=${t} position=${s} selected=${n.selected}
          conversation=${''} onSelect=${m} onFollow=${k}
          onOpen=${y => e.go('agent', y)} />`}
    ${!s.following && _`<button class="to-end" onClick=${() => k(!0)}>
      ↓ Follow the newest</button>`}
    ${A && _`<${ca} key=${n.selected} app=${e} store=${t} n=${n.selected}
      onClose=${b} onFilter=${d} onSelect=${y => m(y, !0)} />`}
  </div>`
}
function nh({app: e, store: t}) {
  let [n, s] = Q('');
  return t.recorded ? null : _`<fieldset class="debugging"><legend>Step and scramble</legend>
    <${En} store=${t} right="operate" what="Holding messages is off" />
    ${t.may('operate').allowed && _`
      <${Re} label="Pattern" value=${n} placeholder="to an agent" onInput=${s} width="130px" />
      <${At} store=${t} right="operate" label="Hold"
        action=${() => e.ask('hold', {
        pattern: n
      })} />
      <${At} store=${t} right="operate" label="Scramble order"
        action=${() => e.ask('scramble', {
        pattern: n,
        on: !0
      })} />
      <${At} store=${t} right="operate" label="Keep order"
        action=${() => e.ask('scramble', {
        pattern: n,
        on: !1
      })} />`}
    ${t.holds.map(o => _`<div class="hold">
      <b>${F(o.pattern)}</b> holds ${I(o.waiting?.length ?? 0)}
      ${o.waiting?.[0] && _`<span class="note">next: ${D(o.waiting[0].from)} →
        ${D(o.waiting[0].to)} ${D(o.waiting[0].text)}</span>`}
      <${At} store=${t} right="operate" label="Let one go"
        action=${() => e.ask('release', {
                    hold: o.id,
                    count: 1
                  })} />
      <${At} store=${t} right="operate" label="Let all go"
        action=${() => e.ask('release', {
                    hold: o.id,
                    count: 0
                  })} />
    </div>`)}
  </fieldset>
  <${Ro} app=${e} store=${t} />`
}
var Pn = 32;
function Vs(
    {label: e, columns: t, rows: n, keyOf: s, onOpen: o, initial: l, height: i, selected: r}) {
  let [a, u] = Q(l ?? {key: t[0].key, down: !1}), [f, p] = Q(0), [d, m] = Q(400), [k, x] = Q(0),
          w = pe();
  Tt(() => {
    let T = new ResizeObserver(() => m(w.current?.clientHeight ?? 400));
    return T.observe(w.current), () => T.disconnect()
  }, []);
  let S = sh(n, t, a), b = t.map(T => T.width ?? 'minmax(80px, 1fr)').join(' '),
      A = t.reduce((T, j) => T + (j.least ?? 90), 0), y = Math.max(0, Math.floor(f / Pn) - 5),
      C = S.slice(y, y + Math.ceil(d / Pn) + 10), E = Math.min(k, S.length - 1);
  xe(() => {
    let T = w.current, j = E * Pn;
    document.activeElement === T &&
        (j < T.scrollTop && (T.scrollTop = j),
         j + 2 * Pn > T.scrollTop + T.clientHeight && (T.scrollTop = j + 2 * Pn - T.clientHeight))
  }, [E]);
  let H = T => {
    let j = {ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10}[T.key];
    if (j) x(Math.max(0, Math.min(S.length - 1, E + j)));
    else if (T.key === 'Home') x(0);
    else if (T.key === 'End') x(S.length - 1);
    else if (T.key === 'Enter' && o && S[E]) o(S[E]);
    else return;
    T.preventDefault()
  };
  return _`<div class="table" style=${{ height: i }
  }>
    <div class="table-scroll" ref=${w} tabindex="0" role="table" aria-label=${e}
      aria-rowcount=${
      S.length +
      1} onScroll=${T => p(T.target.scrollTop)}
      onKeyDown=${H}>
      <div class="table-head" role="row" style=${{
    gridTemplateColumns: b, minWidth: `${A}px`
  }
  }>
        ${
      t.map(T => _`<div role="columnheader" class=${T.number ? 'number' : ''}
          aria-sort=${
          a.key !==
          T.key ? 'none' : a.down ? 'descending' : 'ascending'}>
          <button onClick=${() => u({
        key: T.key,
        down: a.key ===
        T.key ? !a.down :
                !!T.number
      })}>
            ${T.title}<span aria-hidden="true">${
          a.key !== T.key ? '' : a.down ? ' ↓' : ' ↑'}</span></button>
        </div>`)}
      </div>
      <div class="table-body" role="rowgroup" style=${{
    height: `${S.length * Pn}px`, minWidth: `${A}px`
  }
  }>
        ${
      C.map((T, j) => _`<div key=${(y + j) % 200} role="row"
          aria-rowindex=${
          y +
          j + 2}
          class=${`table-row${y + j === E ? ' current' : ''}${r && s(T) === r ? ' selected' : ''}`}
          style=${{ transform: `translateY(${(y + j) * Pn}px)`, gridTemplateColumns: b }}
          onClick=${() => {
        x(y + j), o?.(T)
      }}>
          ${
          t.map(z => _`<div role="cell" class=${z.number ? 'number' : ''}>${
              (z.show ?? z.value)(T)}</div>`)}
        </div>`)}
      </div>
    </div>
  </div>`
}
function sh(e, t, n) {
  let s = t.find(l => l.key === n.key) ?? t[0], o = n.down ? -1 : 1;
  return e.map((l, i) => [s.value(l), i, l])
      .sort((l, i) => o * oh(l[0], i[0]) || l[1] - i[1])
      .map(l => l[2])
}
function oh(e, t) { return e === t ? 0 : e == null ? -1 : t == null ? 1 : e < t ? -1 : 1 }
var Ho = 60;
function fa({app: e, store: t, agents: n}) {
  let s = new Map;
  for (let i of n) {
    let r = String(i.node ?? '');
    s.has(r) || s.set(r, []), s.get(r).push(i)
  }
  let o = new Map;
  for (let [i, r] of t.nodes) ua(o, r.host ?? 'this host', [i, r]);
  for (let i of s.keys()) t.nodes.has(i) || ua(o, 'unknown host', [i, {lease: i, node: i}]);
  let l = new Set(t.waits().circles.flat());
  return _`<div class="map" tabindex="0" role="region" aria-label="Map of hosts, nodes and agents">
    <p class="legend"><span class="dot calm"></span> runs or is idle
      <span class="dot waits"></span> waits for somebody <span class="dot stuck"></span> waits in a circle
      <span class="dot errs"></span> has errors · the bar is the queue</p>
    ${[...o].slice(0, 200).map(([i, r]) => _`<section class="host">
      <h2>${D(i)}</h2>
      <div class="nodes">${r.slice(0, 200).map(([a, u]) => _`
        <${lh} key=${a} app=${e} node=${u} agents=${s.get(a) ?? []} circles=${l} />`)}
      </div></section>`)}
  </div>`
}
function ua(e, t, n) { e.has(t) || e.set(t, []), e.get(t).push(n) }
function lh({app: e, node: t, agents: n, circles: s}) {
  let o = [Ie(n.length, 'agent')];
  return t.age !== void 0 && o.push(`lease renewed ${Xe(t.age)} ago`),
         t.certified && o.push('certified'),
         t.waiting && o.push(`${I(t.waiting)} messages wait for absent agents`),
         _`<article class="card node">
    <h3>${D(t.node ?? t.lease)}</h3><p class="note">${o.join(' · ')}</p>
    <div class="cells">${
             n.length <= Ho ?
                 n.map((l, i) => _`<${rh} key=${i} app=${e} agent=${l} circles=${s} />`) :
                 ah(n).map((l, i) => _`<${ch} key=${i} app=${e} fold=${l} />`)}</div>
  </article>`
}
function ih(e, t) {
  return t.has(e.name)     ? ['stuck', 'waits in a circle'] :
      e.errors             ? ['errs', Ie(e.errors, 'error')] :
      e.waits?.for?.length ? ['waits', `waits for ${e.waits.for.map(D).join(', ')}`] :
                             ['calm', '']
}
function rh({app: e, agent: t, circles: n}) {
  let [s, o] = ih(t, n), l = Math.min(1, Math.log10(1 + (t.queue ?? 0)) / 4);
  return _`<a class=${`cell ${s}`} href=${e.link('agent', t.name)} title=${`${D(t.name)} ${o}`}>
    <span class=${`dot ${s}`} aria-hidden="true"></span><span class="cell-name">${en(t.name)}</span>
    ${o && _`<span class="hidden">${o}</span>`}
    <span class="fill" aria-hidden="true" style=${{
    transform: `scaleX(${l.toFixed(2)})`
  }
  }></span></a>`
}
function ah(e) {
  let t = new Map;
  for (let o of e) {
    let l = o.name.indexOf('/'), i = l < 0 ? o.name : o.name.slice(0, l + 1), r = t.get(i);
    r || t.set(i, r = {key: i, agents: 0, queue: 0, errors: 0, waits: 0}), r.agents += 1,
        r.queue += o.queue ?? 0, r.errors += o.errors ?? 0, r.waits += o.waits?.for?.length ? 1 : 0
  }
  let n = [...t.values()];
  if (n.length <= Ho) return n;
  let s = n.slice(Ho - 1).reduce((o, l) => ({
                                   key: 'others',
                                   agents: o.agents + l.agents,
                                   queue: o.queue + l.queue,
                                   errors: o.errors + l.errors,
                                   waits: o.waits + l.waits
                                 }));
  return [...n.slice(0, Ho - 1), {...s, key: 'others'}]
}
function ch({app: e, fold: t}) {
  let n = t.errors ? 'errs' : t.waits ? 'waits' : 'calm';
  return _`<button class=${`cell fold ${n}`} onClick=${() => {
    Object.assign(e.society, {view: 'table', names: t.key === 'others' ? '' : `${t.key}*`}),
        e.redraw()
  }}><span class=${`dot ${n}`} aria-hidden="true"></span>
    <span class="cell-name">${D(t.key)}</span>
    <small>${I(t.agents)} agents, ${I(t.queue)} queued${
      t.errors ? `, ${I(t.errors)} errors` : ''}</small></button>`
}
function uh(e) {
  let t = +this._x.call(null, e), n = +this._y.call(null, e);
  return pa(this.cover(t, n), t, n, e)
}
function pa(e, t, n, s) {
  if (isNaN(t) || isNaN(n)) return e;
  var o, l = e._root, i = {data: s}, r = e._x0, a = e._y0, u = e._x1, f = e._y1, p, d, m, k, x, w,
         S, b;
  if (!l) return e._root = i, e;
  for (; l.length;)
    if ((x = t >= (p = (r + u) / 2)) ? r = p : u = p, (w = n >= (d = (a + f) / 2)) ? a = d : f = d,
        o = l, !(l = l[S = w << 1 | x]))
      return o[S] = i, e;
  if (m = +e._x.call(null, l.data), k = +e._y.call(null, l.data), t === m && n === k)
    return i.next = l, o ? o[S] = i : e._root = i, e;
  do
    o = o ? o[S] = new Array(4) : e._root = new Array(4),
    (x = t >= (p = (r + u) / 2)) ? r = p : u = p, (w = n >= (d = (a + f) / 2)) ? a = d : f = d;
  while ((S = w << 1 | x) === (b = (k >= d) << 1 | m >= p));
  return o[b] = l, o[S] = i, e
}
function fh(e) {
  Array.isArray(e) || (e = Array.from(e));
  let t = e.length, n = new Float64Array(t), s = new Float64Array(t), o = 1 / 0, l = o, i = -o,
      r = i;
  for (let a = 0, u, f, p; a < t; ++a) {
    if (isNaN(f = +this._x.call(null, u = e[a])) || isNaN(p = +this._y.call(null, u))) {
      n[a] = NaN;
      continue
    }
    n[a] = f, s[a] = p, f < o && (o = f), f > i && (i = f), p < l && (l = p), p > r && (r = p)
  }
  if (o > i || l > r) return this;
  this.cover(o, l).cover(i, r);
  for (let a = 0; a < t; ++a) pa(this, n[a], s[a], e[a]);
  return this
}
function hh(e, t) {
  if (isNaN(e = +e) || isNaN(t = +t)) return this;
  var n = this._x0, s = this._y0, o = this._x1, l = this._y1;
  if (isNaN(n)) o = (n = Math.floor(e)) + 1, l = (s = Math.floor(t)) + 1;
  else {
    for (var i = o - n || 1, r = this._root, a, u; n > e || e >= o || s > t || t >= l;)
      switch (u = (t < s) << 1 | e < n, a = new Array(4), a[u] = r, r = a, i *= 2, u) {
        case 0:
          o = n + i, l = s + i;
          break;
        case 1:
          n = o - i, l = s + i;
          break;
        case 2:
          o = n + i, s = l - i;
          break;
        case 3:
          n = o - i, s = l - i;
          break
      }
    this._root && this._root.length && (this._root = r)
  }
  return this._x0 = n, this._y0 = s, this._x1 = o, this._y1 = l, this
}
function ph() {
  var e = [];
  return this.visit(function(t) {
    if (!t.length) do
        e.push(t.data);
      while (t = t.next)
  }),
         e
}
function dh(e) {
  return arguments.length ? this.cover(+e[0][0], +e[0][1]).cover(+e[1][0], +e[1][1]) :
      isNaN(this._x0)     ? void 0 :
                            [[this._x0, this._y0], [this._x1, this._y1]]
}
function lt(e, t, n, s, o) { this.node = e, this.x0 = t, this.y0 = n, this.x1 = s, this.y1 = o }
function mh(e, t, n) {
  var s, o = this._x0, l = this._y0, i, r, a, u, f = this._x1, p = this._y1, d = [], m = this._root,
         k, x;
  for (m && d.push(new lt(m, o, l, f, p)),
       n == null ? n = 1 / 0 : (o = e - n, l = t - n, f = e + n, p = t + n, n *= n);
       k = d.pop();)
    if (!(!(m = k.node) || (i = k.x0) > f || (r = k.y0) > p || (a = k.x1) < o || (u = k.y1) < l))
      if (m.length) {
        var w = (i + a) / 2, S = (r + u) / 2;
        d.push(
            new lt(m[3], w, S, a, u), new lt(m[2], i, S, w, u), new lt(m[1], w, r, a, S),
            new lt(m[0], i, r, w, S)),
            (x = (t >= S) << 1 | e >= w) &&
            (k = d[d.length - 1], d[d.length - 1] = d[d.length - 1 - x], d[d.length - 1 - x] = k)
      } else {
        var b = e - +this._x.call(null, m.data), A = t - +this._y.call(null, m.data),
            y = b * b + A * A;
        if (y < n) {
          var C = Math.sqrt(n = y);
          o = e - C, l = t - C, f = e + C, p = t + C, s = m.data
        }
      }
  return s
}
function gh(e) {
  if (isNaN(f = +this._x.call(null, e)) || isNaN(p = +this._y.call(null, e))) return this;
  var t, n = this._root, s, o, l, i = this._x0, r = this._y0, a = this._x1, u = this._y1, f, p, d,
         m, k, x, w, S;
  if (!n) return this;
  if (n.length)
    for (;;) {
      if ((k = f >= (d = (i + a) / 2)) ? i = d : a = d,
          (x = p >= (m = (r + u) / 2)) ? r = m : u = m, t = n, !(n = n[w = x << 1 | k]))
        return this;
      if (!n.length) break;
      (t[w + 1 & 3] || t[w + 2 & 3] || t[w + 3 & 3]) && (s = t, S = w)
    }
  for (; n.data !== e;)
    if (o = n, !(n = n.next)) return this;
  return (l = n.next) && delete n.next,
         o     ? (l ? o.next = l : delete o.next, this) :
             t ? (l ? t[w] = l : delete t[w],
                  (n = t[0] || t[1] || t[2] || t[3]) && n === (t[3] || t[2] || t[1] || t[0]) &&
                      !n.length && (s ? s[S] = n : this._root = n),
                  this) :
                 (this._root = l, this)
}
function $h(e) {
  for (var t = 0, n = e.length; t < n; ++t) this.remove(e[t]);
  return this
}
function _h() { return this._root }
function wh() {
  var e = 0;
  return this.visit(function(t) {
    if (!t.length) do
        ++e;
      while (t = t.next)
  }),
         e
}
function yh(e) {
  var t = [], n, s = this._root, o, l, i, r, a;
  for (s && t.push(new lt(s, this._x0, this._y0, this._x1, this._y1)); n = t.pop();)
    if (!e(s = n.node, l = n.x0, i = n.y0, r = n.x1, a = n.y1) && s.length) {
      var u = (l + r) / 2, f = (i + a) / 2;
      (o = s[3]) && t.push(new lt(o, u, f, r, a)), (o = s[2]) && t.push(new lt(o, l, f, u, a)),
          (o = s[1]) && t.push(new lt(o, u, i, r, f)), (o = s[0]) && t.push(new lt(o, l, i, u, f))
    }
  return this
}
function vh(e) {
  var t = [], n = [], s;
  for (this._root && t.push(new lt(this._root, this._x0, this._y0, this._x1, this._y1));
       s = t.pop();) {
    var o = s.node;
    if (o.length) {
      var l, i = s.x0, r = s.y0, a = s.x1, u = s.y1, f = (i + a) / 2, p = (r + u) / 2;
      (l = o[0]) && t.push(new lt(l, i, r, f, p)), (l = o[1]) && t.push(new lt(l, f, r, a, p)),
          (l = o[2]) && t.push(new lt(l, i, p, f, u)), (l = o[3]) && t.push(new lt(l, f, p, a, u))
    }
    n.push(s)
  }
  for (; s = n.pop();) e(s.node, s.x0, s.y0, s.x1, s.y1);
  return this
}
function bh(e) { return e[0] }
function kh(e) { return arguments.length ? (this._x = e, this) : this._x }
function xh(e) { return e[1] }
function Sh(e) { return arguments.length ? (this._y = e, this) : this._y }
function us(e, t, n) {
  var s = new Zl(t ?? bh, n ?? xh, NaN, NaN, NaN, NaN);
  return e == null ? s : s.addAll(e)
}
function Zl(e, t, n, s, o, l) {
  this._x = e, this._y = t, this._x0 = n, this._y0 = s, this._x1 = o, this._y1 = l,
  this._root = void 0
}
function ha(e) {
  for (var t = {data: e.data}, n = t; e = e.next;) n = n.next = {data: e.data};
  return t
}
var it = us.prototype = Zl.prototype;
it.copy = function() {
  var e = new Zl(this._x, this._y, this._x0, this._y0, this._x1, this._y1), t = this._root, n, s;
  if (!t) return e;
  if (!t.length) return e._root = ha(t), e;
  for (n = [{source: t, target: e._root = new Array(4)}]; t = n.pop();)
    for (var o = 0; o < 4; ++o)
      (s = t.source[o]) &&
          (s.length ? n.push({source: s, target: t.target[o] = new Array(4)}) :
                      t.target[o] = ha(s));
  return e
};
it.add = uh;
it.addAll = fh;
it.cover = hh;
it.data = ph;
it.extent = dh;
it.find = mh;
it.remove = gh;
it.removeAll = $h;
it.root = _h;
it.size = wh;
it.visit = yh;
it.visitAfter = vh;
it.x = kh;
it.y = Sh;
var Mh = {value: () => {}};
function Xl() {
  for (var e = 0, t = arguments.length, n = {}, s; e < t; ++e) {
    if (!(s = arguments[e] + '') || s in n || /[\s.]/.test(s))
      throw new Error('illegal type: ' + s);
    n[s] = []
  }
  return new Io(n)
}
function Io(e) { this._ = e }
function Th(e, t) {
  return e.trim().split(/^|\s+/).map(function(n) {
    var s = '', o = n.indexOf('.');
    if (o >= 0 && (s = n.slice(o + 1), n = n.slice(0, o)), n && !t.hasOwnProperty(n))
      throw new Error('unknown type: ' + n);
    return { type: n, name: s }
  })
}
Io.prototype = Xl.prototype = {
  constructor: Io,
  on: function(e, t) {
    var n = this._, s = Th(e + '', n), o, l = -1, i = s.length;
    if (arguments.length < 2) {
      for (; ++l < i;)
        if ((o = (e = s[l]).type) && (o = Ah(n[o], e.name))) return o;
      return
    }
    if (t != null && typeof t != 'function') throw new Error('invalid callback: ' + t);
    for (; ++l < i;)
      if (o = (e = s[l]).type) n[o] = da(n[o], e.name, t);
      else if (t == null)
        for (o in n) n[o] = da(n[o], e.name, null);
    return this
  },
  copy: function() {
    var e = {}, t = this._;
    for (var n in t) e[n] = t[n].slice();
    return new Io(e)
  },
  call: function(e, t) {
    if ((o = arguments.length - 2) > 0)
      for (var n = new Array(o), s = 0, o, l; s < o; ++s) n[s] = arguments[s + 2];
    if (!this._.hasOwnProperty(e)) throw new Error('unknown type: ' + e);
    for (l = this._[e], s = 0, o = l.length; s < o; ++s) l[s].value.apply(t, n)
  },
  apply: function(e, t, n) {
    if (!this._.hasOwnProperty(e)) throw new Error('unknown type: ' + e);
    for (var s = this._[e], o = 0, l = s.length; o < l; ++o) s[o].value.apply(t, n)
  }
};
function Ah(e, t) {
  for (var n = 0, s = e.length, o; n < s; ++n)
    if ((o = e[n]).name === t) return o.value
}
function da(e, t, n) {
  for (var s = 0, o = e.length; s < o; ++s)
    if (e[s].name === t) {
      e[s] = Mh, e = e.slice(0, s).concat(e.slice(s + 1));
      break
    }
  return n != null && e.push({name: t, value: n}), e
}
var fs = 0, Bs = 0, qs = 0, ga = 1e3, Wo, Gs, jo = 0, Cn = 0, Vo = 0,
    Us = typeof performance == 'object' && performance.now ? performance : Date,
    $a = typeof window == 'object' && window.requestAnimationFrame ?
    window.requestAnimationFrame.bind(window) :
    function(e) { setTimeout(e, 17) };
function _a() { return Cn || ($a(Eh), Cn = Us.now() + Vo) }
function Eh() { Cn = 0 }
function ei() { this._call = this._time = this._next = null }
ei.prototype = ni.prototype = {
  constructor: ei,
  restart: function(e, t, n) {
    if (typeof e != 'function') throw new TypeError('callback is not a function');
    n = (n == null ? _a() : +n) + (t == null ? 0 : +t),
    !this._next && Gs !== this && (Gs ? Gs._next = this : Wo = this, Gs = this), this._call = e,
    this._time = n, ti()
  },
  stop: function() { this._call && (this._call = null, this._time = 1 / 0, ti()) }
};
function ni(e, t, n) {
  var s = new ei;
  return s.restart(e, t, n), s
}
function Ph() {
  _a(), ++fs;
  for (var e = Wo, t; e;) (t = Cn - e._time) >= 0 && e._call.call(void 0, t), e = e._next;
  --fs
}
function ma() {
  Cn = (jo = Us.now()) + Vo, fs = Bs = 0;
  try {
    Ph()
  } finally {
    fs = 0, Lh(), Cn = 0
  }
}
function Ch() {
  var e = Us.now(), t = e - jo;
  t > ga && (Vo -= t, jo = e)
}
function Lh() {
  for (var e, t = Wo, n, s = 1 / 0; t;)
    t._call ? (s > t._time && (s = t._time), e = t, t = t._next) :
              (n = t._next, t._next = null, t = e ? e._next = n : Wo = n);
  Gs = e, ti(s)
}
function ti(e) {
  if (!fs) {
    Bs && (Bs = clearTimeout(Bs));
    var t = e - Cn;
    t > 24 ? (e < 1 / 0 && (Bs = setTimeout(ma, Math.ceil(e - Us.now() - Vo) + 1)),
              qs && (qs = clearInterval(qs))) :
             (qs || (jo = Us.now(), qs = setInterval(Ch, ga)), fs = 1, $a(ma))
  }
}
function rt(e) {
  return function() { return e }
}
function dn(e) { return (e() - .5) * 1e-6 }
function Oh(e) { return e.x + e.vx }
function Nh(e) { return e.y + e.vy }
function va(e) {
  var t, n, s, o = 1, l = 1;
  typeof e != 'function' && (e = rt(e == null ? 1 : +e));
  function i() {
    for (var u, f = t.length, p, d, m, k, x, w, S = 0; S < l; ++S)
      for (p = us(t, Oh, Nh).visitAfter(r), u = 0; u < f; ++u)
        d = t[u], x = n[d.index], w = x * x, m = d.x + d.vx, k = d.y + d.vy, p.visit(b);
    function b(A, y, C, E, H) {
      var T = A.data, j = A.r, z = x + j;
      if (T) {
        if (T.index > d.index) {
          var O = m - T.x - T.vx, G = k - T.y - T.vy, R = O * O + G * G;
          R < z * z &&
              (O === 0 && (O = dn(s), R += O * O), G === 0 && (G = dn(s), R += G * G),
               R = (z - (R = Math.sqrt(R))) / R * o, d.vx += (O *= R) * (z = (j *= j) / (w + j)),
               d.vy += (G *= R) * z, T.vx -= O * (z = 1 - z), T.vy -= G * z)
        }
        return
      }
      return y > m + z || E < m - z || C > k + z || H < k - z
    }
  }
  function r(u) {
    if (u.data) return u.r = n[u.data.index];
    for (var f = u.r = 0; f < 4; ++f) u[f] && u[f].r > u.r && (u.r = u[f].r)
  }
  function a() {
    if (t) {
      var u, f = t.length, p;
      for (n = new Array(f), u = 0; u < f; ++u) p = t[u], n[p.index] = +e(p, u, t)
    }
  }
  return i.initialize = function(u, f) { t = u, s = f, a() },
         i.iterations = function(u) { return arguments.length ? (l = +u, i) : l },
         i.strength = function(u) { return arguments.length ? (o = +u, i) : o },
         i.radius = function(
             u) { return arguments.length ? (e = typeof u == 'function' ? u : rt(+u), a(), i) : e },
         i
}
function Dh(e) { return e.index }
function wa(e, t) {
  var n = e.get(t);
  if (!n) throw new Error('node not found: ' + t);
  return n
}
function ba(e) {
  var t = Dh, n = p, s, o = rt(30), l, i, r, a, u, f = 1;
  e == null && (e = []);
  function p(w) { return 1 / Math.min(r[w.source.index], r[w.target.index]) }
  function d(w) {
    for (var S = 0, b = e.length; S < f; ++S)
      for (var A = 0, y, C, E, H, T, j, z; A < b; ++A)
        y = e[A], C = y.source, E = y.target, H = E.x + E.vx - C.x - C.vx || dn(u),
        T = E.y + E.vy - C.y - C.vy || dn(u), j = Math.sqrt(H * H + T * T),
        j = (j - l[A]) / j * w * s[A], H *= j, T *= j, E.vx -= H * (z = a[A]), E.vy -= T * z,
        C.vx += H * (z = 1 - z), C.vy += T * z
  }
  function m() {
    if (i) {
      var w, S = i.length, b = e.length, A = new Map(i.map((C, E) => [t(C, E, i), C])), y;
      for (w = 0, r = new Array(S); w < b; ++w)
        y = e[w], y.index = w, typeof y.source != 'object' && (y.source = wa(A, y.source)),
        typeof y.target != 'object' && (y.target = wa(A, y.target)),
        r[y.source.index] = (r[y.source.index] || 0) + 1,
        r[y.target.index] = (r[y.target.index] || 0) + 1;
      for (w = 0, a = new Array(b); w < b; ++w)
        y = e[w], a[w] = r[y.source.index] / (r[y.source.index] + r[y.target.index]);
      s = new Array(b), k(), l = new Array(b), x()
    }
  }
  function k() {
    if (i)
      for (var w = 0, S = e.length; w < S; ++w) s[w] = +n(e[w], w, e)
  }
  function x() {
    if (i)
      for (var w = 0, S = e.length; w < S; ++w) l[w] = +o(e[w], w, e)
  }
  return d.initialize = function(w, S) { i = w, u = S, m() },
         d.links = function(w) { return arguments.length ? (e = w, m(), d) : e },
         d.id = function(w) { return arguments.length ? (t = w, d) : t },
         d.iterations = function(w) { return arguments.length ? (f = +w, d) : f },
         d.strength = function(
             w) { return arguments.length ? (n = typeof w == 'function' ? w : rt(+w), k(), d) : n },
         d.distance = function(
             w) { return arguments.length ? (o = typeof w == 'function' ? w : rt(+w), x(), d) : o },
         d
}
var Rh = 1664525, Fh = 1013904223, ya = 4294967296;
function zh() {
  let e = 1;
  return () => (e = (Rh * e + Fh) % ya) / ya
}
function Hh(e) { return e.x }
function Ih(e) { return e.y }
var Wh = 10, jh = Math.PI * (3 - Math.sqrt(5));
function ka(e) {
  var t, n = 1, s = .001, o = 1 - Math.pow(s, 1 / 300), l = 0, i = .6, r = new Map, a = ni(p),
         u = Xl('tick', 'end'), f = zh();
  e == null && (e = []);
  function p() { d(), u.call('tick', t), n < s && (a.stop(), u.call('end', t)) }
  function d(x) {
    var w, S = e.length, b;
    x === void 0 && (x = 1);
    for (var A = 0; A < x; ++A)
      for (n += (l - n) * o, r.forEach(function(y) { y(n) }), w = 0; w < S; ++w)
        b = e[w], b.fx == null ? b.x += b.vx *= i : (b.x = b.fx, b.vx = 0),
        b.fy == null ? b.y += b.vy *= i : (b.y = b.fy, b.vy = 0);
    return t
  }
  function m() {
    for (var x = 0, w = e.length, S; x < w; ++x) {
      if (S = e[x], S.index = x, S.fx != null && (S.x = S.fx), S.fy != null && (S.y = S.fy),
          isNaN(S.x) || isNaN(S.y)) {
        var b = Wh * Math.sqrt(.5 + x), A = x * jh;
        S.x = b * Math.cos(A), S.y = b * Math.sin(A)
      }
      (isNaN(S.vx) || isNaN(S.vy)) && (S.vx = S.vy = 0)
    }
  }
  function k(x) { return x.initialize && x.initialize(e, f), x }
  return m(), t = {
    tick: d,
    restart: function() { return a.restart(p), t },
    stop: function() { return a.stop(), t },
    nodes: function(x) { return arguments.length ? (e = x, m(), r.forEach(k), t) : e },
    alpha: function(x) { return arguments.length ? (n = +x, t) : n },
    alphaMin: function(x) { return arguments.length ? (s = +x, t) : s },
    alphaDecay: function(x) { return arguments.length ? (o = +x, t) : +o },
    alphaTarget: function(x) { return arguments.length ? (l = +x, t) : l },
    velocityDecay: function(x) { return arguments.length ? (i = 1 - x, t) : 1 - i },
    randomSource: function(x) { return arguments.length ? (f = x, r.forEach(k), t) : f },
    force: function(x, w) {
      return arguments.length > 1 ? (w == null ? r.delete(x) : r.set(x, k(w)), t) : r.get(x)
    },
    find: function(x, w, S) {
      var b = 0, A = e.length, y, C, E, H, T;
      for (S == null ? S = 1 / 0 : S *= S, b = 0; b < A; ++b)
        H = e[b], y = x - H.x, C = w - H.y, E = y * y + C * C, E < S && (T = H, S = E);
      return T
    },
    on: function(x, w) { return arguments.length > 1 ? (u.on(x, w), t) : u.on(x) }
  }
}
function xa() {
  var e, t, n, s, o = rt(-30), l, i = 1, r = 1 / 0, a = .81;
  function u(m) {
    var k, x = e.length, w = us(e, Hh, Ih).visitAfter(p);
    for (s = m, k = 0; k < x; ++k) t = e[k], w.visit(d)
  }
  function f() {
    if (e) {
      var m, k = e.length, x;
      for (l = new Array(k), m = 0; m < k; ++m) x = e[m], l[x.index] = +o(x, m, e)
    }
  }
  function p(m) {
    var k = 0, x, w, S = 0, b, A, y;
    if (m.length) {
      for (b = A = y = 0; y < 4; ++y)
        (x = m[y]) && (w = Math.abs(x.value)) && (k += x.value, S += w, b += w * x.x, A += w * x.y);
      m.x = b / S, m.y = A / S
    } else {
      x = m, x.x = x.data.x, x.y = x.data.y;
      do k += l[x.data.index];
      while (x = x.next) }
    m.value = k
  }
  function d(m, k, x, w) {
    if (!m.value) return !0;
    var S = m.x - t.x, b = m.y - t.y, A = w - k, y = S * S + b * b;
    if (A * A / a < y)
      return y < r &&
                 (S === 0 && (S = dn(n), y += S * S), b === 0 && (b = dn(n), y += b * b),
                  y < i && (y = Math.sqrt(i * y)), t.vx += S * m.value * s / y,
                  t.vy += b * m.value * s / y),
             !0;
    if (m.length || y >= r) return;
    (m.data !== t || m.next) &&
        (S === 0 && (S = dn(n), y += S * S), b === 0 && (b = dn(n), y += b * b),
         y < i && (y = Math.sqrt(i * y)));
    do m.data !== t && (A = l[m.data.index] * s / y, t.vx += S * A, t.vy += b * A);
    while (m = m.next) }
  return u.initialize = function(m, k) { e = m, n = k, f() },
         u.strength = function(
             m) { return arguments.length ? (o = typeof m == 'function' ? m : rt(+m), f(), u) : o },
         u.distanceMin = function(m) { return arguments.length ? (i = m * m, u) : Math.sqrt(i) },
         u.distanceMax = function(m) { return arguments.length ? (r = m * m, u) : Math.sqrt(r) },
         u.theta = function(m) { return arguments.length ? (a = m * m, u) : Math.sqrt(a) }, u
}
function Sa(e) {
  var t = rt(.1), n, s, o;
  typeof e != 'function' && (e = rt(e == null ? 0 : +e));
  function l(r) {
    for (var a = 0, u = n.length, f; a < u; ++a) f = n[a], f.vx += (o[a] - f.x) * s[a] * r
  }
  function i() {
    if (n) {
      var r, a = n.length;
      for (s = new Array(a), o = new Array(a), r = 0; r < a; ++r)
        s[r] = isNaN(o[r] = +e(n[r], r, n)) ? 0 : +t(n[r], r, n)
    }
  }
  return l.initialize = function(r) { n = r, i() },
         l.strength = function(
             r) { return arguments.length ? (t = typeof r == 'function' ? r : rt(+r), i(), l) : t },
         l.x = function(
             r) { return arguments.length ? (e = typeof r == 'function' ? r : rt(+r), i(), l) : e },
         l
}
function Ma(e) {
  var t = rt(.1), n, s, o;
  typeof e != 'function' && (e = rt(e == null ? 0 : +e));
  function l(r) {
    for (var a = 0, u = n.length, f; a < u; ++a) f = n[a], f.vy += (o[a] - f.y) * s[a] * r
  }
  function i() {
    if (n) {
      var r, a = n.length;
      for (s = new Array(a), o = new Array(a), r = 0; r < a; ++r)
        s[r] = isNaN(o[r] = +e(n[r], r, n)) ? 0 : +t(n[r], r, n)
    }
  }
  return l.initialize = function(r) { n = r, i() },
         l.strength = function(
             r) { return arguments.length ? (t = typeof r == 'function' ? r : rt(+r), i(), l) : t },
         l.y = function(
             r) { return arguments.length ? (e = typeof r == 'function' ? r : rt(+r), i(), l) : e },
         l
}
var Vh = 300, qh = 1500, Bh = 10;
function Gh(e, t, n = Vh) {
  for (let s = 12; s >= 1; s = s > 4 ? 4 : s - 1) {
    let o = Yh(e, t, s);
    if (o.nodes.length <= n || s === 1) return Kh(o, n)
  }
  return { nodes: [], links: [], depth: 1 }
}
function Uh(e, t) {
  let n = String(e).split('/');
  return n.length <= t ? String(e) : `${n.slice(0, t).join('/')}/`
}
function Yh(e, t, n) {
  let s = new Map, o = new Map, l = i => {
    let r = n > 4 ? String(i) : Uh(i, n), a = s.get(r);
    return a || s.set(r, a = {key: r, agents: 0, count: 0}), a
  };
  for (let i of t) l(i).agents += 1;
  for (let i of e) {
    let r = l(i.from), a = l(i.to);
    r.count += i.count, a.count += i.count;
    let u = `${r.key}
${a.key}`,
        f = o.get(u);
    f ? f.count += i.count : o.set(u, {source: r.key, target: a.key, count: i.count})
  }
  return { nodes: [...s.values()], links: [...o.values()], depth: n }
}
function Kh({nodes: e, links: t, depth: n}, s) {
  let o = [...e].sort((r, a) => a.count - r.count || a.agents - r.agents).slice(0, s),
      l = new Set(o.map(r => r.key)),
      i = t.filter(r => l.has(r.source) && l.has(r.target))
              .sort((r, a) => a.count - r.count)
              .slice(0, qh);
  return { nodes: o, links: i, depth: n, left: e.length - o.length }
}
function Ta({app: e, store: t, agents: n}) {
  let s = pe(), o = pe(), l = pe(null), [i, r] = Q({width: 0, height: 0}), [a, u] = Q(null),
      f = pe(null), p = n.length !== t.agents.size,
      d = () => l.current && i.width && Zh(o.current, i, l.current, f.current);
  Tt(() => {
    let w = new ResizeObserver(
        () => {s.current && r({width: s.current.clientWidth, height: s.current.clientHeight})});
    return w.observe(s.current), () => w.disconnect()
  }, []), xe(() => {
    if (!i.width) return;
    let w = To(() => {
      let A = l.current && Qh(l.current);
      d(), A && w.mark()
    }),
        S = () => {
          let A = new Set(n.map(C => C.name)),
              y = [...t.messages.pairs.values()].filter(C => !p || A.has(C.from) || A.has(C.to));
          Jh(l, Gh(y, A), i, w.mark)
        };
    S();
    let b = setInterval(S, 2e3);
    return () => {
      clearInterval(b), w.stop(), l.current?.simulation.stop()
    }
  }, [i.width, i.height, p, n.length]), xe(d);
  let m =
          w => {
            let S = l.current?.tree;
            if (!S) return null;
            let b = o.current.getBoundingClientRect();
            return S().find(w.clientX - b.left, w.clientY - b.top, 30)
          },
      k = w => w &&
      (w.key.endsWith('/') ? (Object.assign(e.society, {names: `${w.key}*`}), e.redraw()) :
                             e.go('agent', w.key)),
      x = (l.current?.links ?? []).slice(0, 12);
  return _`<div class="graph-page">
    <div class="graph" ref=${s}>
      <canvas ref=${
      o} role="img" aria-label="Graph of who talks with whom; the busiest pairs are in the list beside it"
        onPointerMove=${w => {
    f.current = m(w), u(f.current)
  }}
        onPointerLeave=${() => {
    f.current = null, u(null)
  }}
        onClick=${w => k(m(w))}></canvas>
      <p class="graph-note">${
      a ? `${D(a.key)}: ${Ie(a.agents, 'agent')}, ${I(a.count)} messages` :
          'Thickness shows traffic. Click an agent to open it.'}</p>
    </div>
    <aside class="busiest" tabindex="0" role="region" aria-label="Busiest pairs"><h2>Busiest pairs</h2>
      <ol>${x.map(w => _`<li><span>${D(w.source.key)} → ${D(w.target.key)}</span>
        <b>${I(w.count)}</b></li>`)}</ol></aside>
  </div>`
}
function Jh(e, t, n, s) {
  let o = new Map((e.current?.nodes ?? []).map(f => [f.key, f])),
      l = o.size === t.nodes.length && t.nodes.every(f => o.has(f.key)),
      i = t.nodes.map(
          (f, p) => Object.assign(
              o.get(f.key) ?? {
                x: n.width / 2 + 40 * Math.sqrt(p) * Math.cos(p * 2.4),
                y: n.height / 2 + 40 * Math.sqrt(p) * Math.sin(p * 2.4)
              },
              f)),
      r = t.links.map(f => ({...f}));
  e.current?.simulation?.stop();
  let u = ka(i)
              .force(
                  'link',
                  ba(r)
                      .id(f => f.key)
                      .distance(Math.max(90, Math.min(220, 620 / Math.sqrt(i.length))))
                      .strength(.25))
              .force('charge', xa().strength(-260).distanceMax(420))
              .force('collide', va(26))
              .force('x', Sa(n.width / 2).strength(.06))
              .force('y', Ma(n.height / 2).strength(.09))
              .stop();
  e.current = {
    nodes: i,
    links: r,
    simulation: u,
    most: Math.max(1, ...r.map(f => f.count)),
    rounds: l          ? 0 :
        i.length > 150 ? 60 :
                         150,
    size: n,
    tree: () => us(i, f => f.x, f => f.y)
  },
  s()
}
function Qh(e) {
  let t = performance.now();
  for (; e.rounds > 0 && performance.now() - t < Bh;) e.simulation.tick(), e.rounds -= 1;
  for (let n of e.nodes)
    n.x = Math.max(50, Math.min(e.size.width - 50, n.x)),
    n.y = Math.max(24, Math.min(e.size.height - 40, n.y));
  return e.rounds > 0
}
function Zh(e, t, n, s) {
  let o = cs(e, t.width, t.height), l = Ut();
  for (let i of n.links) {
    let r = s && (i.source === s || i.target === s);
    o.globalAlpha = s && !r ? .15 : .75, o.strokeStyle = r ? l.accent : l.muted,
    o.lineWidth = .6 + 5 * Math.log1p(i.count) / Math.log1p(n.most), o.beginPath(),
    o.moveTo(i.source.x, i.source.y);
    let a = i.source === i.target ? 60 : 14,
        u = (i.source.x + i.target.x) / 2 + a * Math.sign(i.target.y - i.source.y || 1),
        f = (i.source.y + i.target.y) / 2 - a * Math.sign(i.target.x - i.source.x || 1);
    o.quadraticCurveTo(u, f, i.target.x, i.target.y), o.stroke()
  }
  o.globalAlpha = 1,
  o.font = '12px system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif',
  o.textAlign = 'center';
  for (let i of n.nodes) {
    let r = i.key.endsWith('/'), a = r ? 9 + Math.min(14, Math.sqrt(i.agents)) : 7;
    if (o.fillStyle = i === s ? l.accent :
            r                 ? l['accent-soft'] :
                                l.surface,
        o.strokeStyle = l.accent, o.lineWidth = 1.5, o.beginPath(), o.arc(i.x, i.y, a, 0, 7),
        o.fill(), o.stroke(), n.nodes.length > 120 && i !== s && !r)
      continue;
    let u = (r ? D(i.key) : en(i.key)).slice(0, 24), f = o.measureText(u).width;
    o.fillStyle = l.surface, o.globalAlpha = .85,
    o.fillRect(i.x - f / 2 - 2, i.y + a + 2, f + 4, 15), o.globalAlpha = 1, o.fillStyle = l.text,
    o.fillText(u, i.x, i.y + a + 14)
  }
}
function Aa({app: e, store: t}) {
  let n = e.society, [, s] = Q(0),
      o =
          r => {
            Object.assign(n, r), s(a => a + 1)
          },
      l = Do(n.names),
      i = is(
          () => [...t.agents.values()].filter(
              r => (!l || l(r.name) || (r.roles ?? []).some(l)) && (!n.waiting || Ys(r))),
          [t.agents, t.societyVersion, n.names, n.waiting]);
  return _`<div class="page society-page">
    <div class="tools">
      <${as} label="View" value=${n.view} onChange=${r => o({
                                                       view: r
                                                     })}
        options=${
          [['map', 'Map'], ['table', 'Table'], ['graph', 'Graph'],
           [
             'groups', 'Groups'
           ]]} />
      <${Re} label="Agents" value=${n.names} placeholder="agents, roles" width="170px"
        onInput=${r => o({
                    names: r
                  })} />
      <button aria-pressed=${n.waiting} class="toggle"
        onClick=${() => o({
                    waiting: !n.waiting
                  })}>Only waiting</button>
      <span class="grow"></span>
      <span class="note held">${
                    `${I(i.length)} of ${Ie(t.agents.size, 'agent')} on ${
                        Ie(t.nodes.size, 'node')}`}</span>
    </div>
    ${
      !t.agents.size &&
      _`<${ht} title="No agent yet">Agents appear here when they claim their names.<//>`}
    ${t.agents.size > 0 && Xh(n.view, e, t, i)}
  </div>`
}
function Xh(e, t, n, s) {
  return e === 'table' ? _`<${si} app=${t} store=${n} agents=${s} />` :
      e === 'graph' ? _`<${Ta} app=${t} store=${n} agents=${s} />` :
      e === 'groups' ? _`<${ep} app=${t} store=${n} />` :
                       _`<${fa} app=${t} store=${n} agents=${s} />`
}
function Ys(e) { return e.waits?.for?.length ? e.waits.for.map(D).join(', ') : '' }
function si({app: e, store: t, agents: n, columns: s, initial: o, label: l}) {
  let i = t.time(), r = new Set(t.waits().circles.flat());
  return _`<${Vs} label=${l ?? 'Agents'} rows=${n} keyOf=${a => a.name}
    initial=${o ?? {
    key: 'name', down: !1
  }
  }
    onOpen=${a => e.go('agent', a.name)}
    columns=${
      s ??
      [
        {
          key: 'name',
          title: 'Agent',
          width: 'minmax(160px, 2fr)',
          least: 160,
          value: a => a.name,
          show: a => _`<a href=${e.link('agent', a.name)} tabindex="-1">${D(a.name)}</a>`
        },
        {key: 'roles', title: 'Roles', value: a => (a.roles ?? []).map(D).join(', ')},
        {key: 'node', title: 'Node', width: '110px', value: a => Ks(t, a.node)}, {
          key: 'queue',
          title: 'Queue',
          width: '80px',
          number: !0,
          value: a => a.queue ??
          0,
          show: a => I(a.queue ?? 0)
        },
        {
          key: 'sent',
          title: 'Sent',
          width: '90px',
          number: !0,
          value: a => a.sent ??
          0,
          show: a => I(a.sent ?? 0)
        },
        {
          key: 'received',
          title: 'Received',
          width: '100px',
          number: !0,
          value: a => a.received ??
          0,
          show: a => I(a.received ?? 0)
        },
        {
          key: 'errors',
          title: 'Errors',
          width: '80px',
          number: !0,
          value: a => a.errors ??
          0,
          show: a => _`<span class=${a.errors ? 'bad' : ''}>${I(a.errors ?? 0)}</span>`
        },
        {
          key: 'waits',
          title: 'Waits for',
          value: Ys,
          least: 140,
          show: a => _`<span class=${r.has(a.name) ? 'bad' : ''}>${Ys(a)}${
              r.has(a.name) ? ' (circle)' : ''}</span>`
        },
        {
          key: 'since',
          title: 'Waits since',
          width: '110px',
          number: !0,
          value: a => Ys(a) ?
          i -
          (a.waits.since ?? 0) : -1,
          show: a => Ys(a) ?
          Xe(i - (a.waits.since ?? 0)) :
          ''
        }
      ]} />`
}
function Ks(e, t) {
  let n = e.nodes.get(String(t));
  return n ? D(n.node ?? n.lease) : D(t ?? '')
}
function ep({app: e, store: t}) {
  return t.groups.length ?
      _`<div class="cards" tabindex="0" role="region" aria-label="Groups">${
          t.groups.slice(0, 500).map(([n, s]) => _`
    <section class="card"><h2>${D(n)}</h2><p class="note">${Ie(s.length, 'member')}</p>
      <p class="members">${s.slice(0, 100).map(o => _`
        <a href=${e.link('agent', o)}>${D(o)}</a> `)}
        ${s.length > 100 && _`<span class="note">and ${I(s.length - 100)} more</span>`}</p>
    </section>`)}</div>` :
      _`<${ht} title="No groups">Agents that join a group are listed here under its name.<//>`
}
var tp = 1e3;
function Ea({app: e, store: t, name: n}) {
  let [s, o] = Q(null), [l, i] = Q(null);
  xe(() => {
    let u = !0;
    if (o(null), i(null), !t.may('inspect').allowed) return;
    let f = () => {
      e.ask('agent', {name: n}).then(d => u && o({ok: d}), d => u && o({error: d.message})),
          e.ask('why', {name: n}).then(d => u && i({ok: d}), d => u && i({error: d.message}))
    };
    f();
    let p = setInterval(f, tp);
    return () => {
      u = !1, clearInterval(p)
    }
  }, [n, t.hello]);
  let r = t.agents.get(n), a = s?.ok ?? {};
  return _`<div class="page agent-page" tabindex="0" role="region" aria-label=${`Agent ${F(n)}`}>
    <header class="agent-head"><a href=${
      e.link('society')}>Society</a><span aria-hidden="true"> / </span>
      <h1>${F(n)}</h1>
      ${
      !r &&
      _`<p class="bad">No agent has this name now. Messages to it wait with their custodian.</p>`}</header>
    <div class="cards">
      <${np} store=${t} agent=${r} found=${a} />
      <${op} app=${e} store=${t} name=${n} why=${l} />
      <${rp} app=${e} store=${t} found=${a} />
      <${ap} found=${a} />
      <${cp} found=${a} />
      <${ip} store=${t} found=${a} error=${s?.error} agent=${r} />
      <${up} app=${e} store=${t} name=${n} found=${a} />
    </div>
  </div>`
}
function np({store: e, agent: t, found: n}) {
  let s = [
    ['State', n.state], ['Roles', (t?.roles ?? []).join(', ')], ['Node', t && Ks(e, t.node)],
    ['Life', n.life], ['Groups', (t?.groups ?? []).join(', ')], ['Sent', t && I(t.sent ?? 0)],
    ['Received', t && I(t.received ?? 0)],
    ['Properties', Object.entries(t?.props ?? {}).map(([o, l]) => `${o}=${l}`).join(', ')],
    ['Supervisor', sp(n.supervisor)]
  ];
  return _`<section class="card"><h2>Agent</h2><dl class="facts">
    ${
      s.filter(([, o]) => o !== void 0 && o !== '')
          .map(([o, l]) => _`<dt>${o}</dt><dd>${F(l)}</dd>`)}</dl></section>`
}
function sp(e) {
  if (!e) return 'none';
  if (typeof e == 'string') return e;
  let t = e.restarts !== void 0 ? `, ${Ie(e.restarts, 'restart')}` : '',
      n = e.limit ? ` of at most ${e.limit}` : '';
  return `${e.name ?? ''}${t}${n}`
}
function op({app: e, store: t, name: n, why: s}) {
  let o = t.time(), l = Yr(n, t.agents), i = s?.ok?.chain?.length ? s.ok.chain : l.chain.map(u => {
    let f = t.agents.get(u)?.waits;
    return { name: u, what: f?.what, for: f?.for ?? [], since: f?.since }
  }),
      r = s?.ok ? !!s.ok.circle : l.circle, a = i.length > 1 || i[0]?.for?.length;
  return _`<section class=${`card why${r ? ' stuck' : ''}`}><h2>Why it waits</h2>
    <${En} store=${t} right="inspect" what="Only what the society publishes is shown" />
    ${!a && _`<p>It waits for nobody.</p>`}
    ${
      a && r &&
      _`<p class="bad"><b>A circle:</b> ${
          lp(i).map(u => F(u)).join(' → ')}. None of them can go on by itself.</p>`}
    ${
      a &&
      _`<ol class="chain">${
          i.map(
              (u, f) => _`<li key=${f}>
      <a href=${e.link('agent', u.name)}>${F(u.name)}</a>
      ${
                  (u.for ?? []).length > 0 ?
                      _`${
                       ` waits for ${
                               [].concat(u.for).map(F).join(
                                   ', ')}`}
          <span class="note">${
                                        ` ${D(u.what)}${
                                            u.since !== void 0 ? `, for ${Xe(o - u.since)}` :
                                                                 ''}`}</span>` :
                                                                 _`<span class="note"> ${
                          r ? 'is where the circle closes' : 'does not wait'                                           }</span>`                                           }
    </li>`)}</ol>`                                           }</section>`
}
function lp(e) {
  let t = e.map(i => i.name), n = e[e.length - 1], s = [].concat(n?.for ?? [])[0] ?? n?.name,
      o = Math.max(0, t.indexOf(s)), l = t.slice(o);
  return l[l.length - 1] === s && l.length > 1 ? l : l.concat(s)
}
function ip({store: e, found: t, error: n, agent: s}) {
  let o = t.mailbox ?? {}, l = o.count ?? s?.queue ?? 0, i = o.limit;
  return _`<section class="card wide"><h2>Mailbox</h2>
    <p>${Ie(l, 'message')}${i ? ` of at most ${I(i)}` : ''}${o.bytes ? `, ${Fs(o.bytes)}` : ''}</p>
    ${i > 0 && _`<meter min="0" max=${i} value=${l} aria-label="Fill of the mailbox"></meter>`}
    ${n && _`<p class="bad">${n}</p>`}
    ${
      o.first?.length > 0 &&
      _`<table class="plain"><thead><tr><th>From</th><th>Type</th><th>Text</th><th>Size</th></tr></thead>
      <tbody>${o.first.slice(0, 20).map((r, a) => _`<tr key=${a}>
        <td>${D(r.from)}</td><td>${Yt(r.type)}</td>
        <td>${D(r.text)}</td><td>${Fs(r.size ?? 0)}</td></tr>`)}</tbody></table>`}
  </section>`
}
function rp({app: e, store: t, found: n}) {
  let s = n.requests ?? [], o = t.time();
  return _`<section class="card"><h2>Open requests</h2>
    ${!s.length && _`<p>None.</p>`}
    <ul class="list">${
      s.slice(0, 50).map(
          (l, i) => _`<li key=${i}>to
      <a href=${e.link('agent', l.to)}> ${
              F(l.to)}</a>
      <span class="note"> ${
                     `${D(l.what ?? Yt(l.type))}, for ${
                         Xe(o - (l.since ?? o))}`}</span></li>`)}</ul></section>`
}
function ap({found: e}) {
  let t = e.errors ?? [];
  return _`<section class="card"><h2>Last errors</h2>
    ${!t.length && _`<p>None.</p>`}
    <ul class="list">${t.slice(-20).reverse().map((n, s) => _`<li key=${s}>
      <time>${n.at !== void 0 ? ge(n.at) : ''}</time> ${F(n.text ?? n)}</li>`)}</ul></section>`
}
function cp({found: e}) {
  return e.shown === void 0 ?
      null :
      _`<section class="card"><h2>State that it shows</h2>
    ${
          typeof e.shown == 'string' ? _`<pre class="content">${F(e.shown)}</pre>` :
                                       _`<${js} value=${e.shown} />`}</section>`
}
function up({app: e, store: t, name: n, found: s}) {
  if (t.recorded)
    return _`<section class="card"><h2>Acts</h2><p class="whynot">This is a recording. Nothing can be done to it.</p></section>`;
  let o = l => () => e.ask(l, {name: n});
  return _`<section class="card wide"><h2>Acts</h2>
    <${En} store=${t} right="operate" what="Acts are off" />
    ${
      t.may('operate').allowed &&
      _`<div class="buttons">
      <${At} store=${t} right="operate" label="End" danger=${!0} action=${o('end')} />
      ${
          s.supervisor &&
          _`<${At} store=${t} right="operate" label="Restart" action=${o('restart')} />`}
      <${At} store=${t} right="operate" label="Record" action=${o('record')} /></div>
      ${!s.supervisor && _`<p class="whynot">Restart is off: the agent has no supervisor.</p>`}`}
    <${Ro} app=${e} store=${t} to=${n} />
    ${t.acts.length > 0 && _`<h3>Acts of operators</h3>
      <ul class="list">${t.acts.slice(-20).reverse().map((l, i) => _`<li key=${i}>
        <time>${ge(l.at)}</time> ${F(l.who)}: ${F(l.what)} ${F(l.to)}</li>`)}</ul>`}
  </section>`
}
var fp = 'uplot', hp = 'u-hz', pp = 'u-vt', dp = 'u-title', mp = 'u-wrap', gp = 'u-under',
    $p = 'u-over', _p = 'u-axis', Nn = 'u-off', wp = 'u-select', yp = 'u-cursor-x',
    vp = 'u-cursor-y', bp = 'u-cursor-pt', kp = 'u-legend', xp = 'u-live', Sp = 'u-inline',
    Mp = 'u-series', Tp = 'u-marker', Pa = 'u-label', Ap = 'u-value', Qs = 'width', Zs = 'height';
var Ca = 'bottom', hs = 'left', oi = 'right', vi = '#000', La = vi + '0', li = 'mousemove',
    Oa = 'mousedown', ii = 'mouseup', Na = 'mouseenter', Da = 'mouseleave', Ra = 'dblclick',
    Ep = 'resize', Pp = 'scroll', Fa = 'change', Yo = 'dppxchange', bi = '--',
    ws = typeof window < 'u', fi = ws ? document : null, ds = ws ? window : null,
    Cp = ws ? navigator : null, ue, qo;
function hi() {
  let e = devicePixelRatio;
  ue != e &&
      (ue = e, qo && di(Fa, qo, hi),
       qo = matchMedia(`(min-resolution: ${ue - .001}dppx) and (max-resolution: ${ue + .001}dppx)`),
       Dn(Fa, qo, hi), ds.dispatchEvent(new CustomEvent(Yo)))
}
function _t(e, t) {
  if (t != null) {
    let n = e.classList;
    !n.contains(t) && n.add(t)
  }
}
function pi(e, t) {
  let n = e.classList;
  n.contains(t) && n.remove(t)
}
function Se(e, t, n) { e.style[t] = n + 'px' }
function Rt(e, t, n, s) {
  let o = fi.createElement(e);
  return t != null && _t(o, t), n?.insertBefore(o, s), o
}
function Et(e, t) { return Rt('div', e, t) }
var za = new WeakMap;
function Kt(e, t, n, s, o) {
  let l = 'translate(' + t + 'px,' + n + 'px)', i = za.get(e);
  l != i &&
      (e.style.transform = l, za.set(e, l),
       t < 0 || n < 0 || t > s || n > o ? _t(e, Nn) : pi(e, Nn))
}
var Ha = new WeakMap;
function Ia(e, t, n) {
  let s = t + n, o = Ha.get(e);
  s != o && (Ha.set(e, s), e.style.background = t, e.style.borderColor = n)
}
var Wa = new WeakMap;
function ja(e, t, n, s) {
  let o = t + '' + n, l = Wa.get(e);
  o != l &&
      (Wa.set(e, o), e.style.height = n + 'px', e.style.width = t + 'px',
       e.style.marginLeft = s ? -t / 2 + 'px' : 0, e.style.marginTop = s ? -n / 2 + 'px' : 0)
}
var ki = {passive: !0}, Lp = {...ki, capture: !0};
function Dn(e, t, n, s) { t.addEventListener(e, n, s ? Lp : ki) }
function di(e, t, n, s) { t.removeEventListener(e, n, ki) }
ws && hi();
function Ft(e, t, n, s) {
  let o;
  n = n || 0, s = s || t.length - 1;
  let l = s <= 2147483647;
  for (; s - n > 1;) o = l ? n + s >> 1 : wt((n + s) / 2), t[o] < e ? n = o : s = o;
  return e - t[n] <= t[s] - e ? n : s
}
function gc(e) {
  return (n, s, o) => {
    let l = -1, i = -1;
    for (let r = s; r <= o; r++)
      if (e(n[r])) {
        l = r;
        break
      }
    for (let r = o; r >= s; r--)
      if (e(n[r])) {
        i = r;
        break
      }
    return [l, i]
  }
}
var $c = e => e != null, _c = e => e != null && e > 0, Qo = gc($c), Op = gc(_c);
function Np(e, t, n, s = 0, o = !1) {
  let l = o ? Op : Qo, i = o ? _c : $c;
  [t, n] = l(e, t, n);
  let r = e[t], a = e[t];
  if (t > -1)
    if (s == 1) r = e[t], a = e[n];
    else if (s == -1) r = e[n], a = e[t];
    else
      for (let u = t; u <= n; u++) {
        let f = e[u];
        i(f) && (f < r ? r = f : f > a && (a = f))
      }
  return [r ?? $e, a ?? -$e]
}
function Zo(e, t, n, s) {
  let o = Ba(e), l = Ba(t);
  e == t && (o == -1 ? (e *= n, t /= n) : (e /= n, t *= n));
  let i = n == 10 ? nn : wc, r = o == 1 ? wt : Pt, a = l == 1 ? Pt : wt, u = r(i(je(e))),
      f = a(i(je(t))), p = ms(n, u), d = ms(n, f);
  return n == 10 && (u < 0 && (p = _e(p, -u)), f < 0 && (d = _e(d, -f))),
         s || n == 2 ? (e = p * o, t = d * l) : (e = kc(e, p), t = Xo(t, d)), [e, t]
}
function xi(e, t, n, s) {
  let o = Zo(e, t, n, s);
  return e == 0 && (o[0] = 0), t == 0 && (o[1] = 0), o
}
var Si = .1, Va = {mode: 3, pad: Si}, eo = {pad: 0, soft: null, mode: 0}, Dp = {min: eo, max: eo};
function Ko(e, t, n, s) {
  return el(n) ? qa(e, t, n) :
                 (eo.pad = n, eo.soft = s ? 0 : null, eo.mode = s ? 3 : 0, qa(e, t, Dp))
}
function ae(e, t) { return e ?? t }
function Rp(e, t, n) {
  for (t = ae(t, 0), n = ae(n, e.length - 1); t <= n;) {
    if (e[t] != null) return !0;
    t++
  }
  return !1
}
function qa(e, t, n) {
  let s = n.min, o = n.max, l = ae(s.pad, 0), i = ae(o.pad, 0), r = ae(s.hard, -$e),
      a = ae(o.hard, $e), u = ae(s.soft, $e), f = ae(o.soft, -$e), p = ae(s.mode, 0),
      d = ae(o.mode, 0), m = t - e, k = nn(m), x = at(je(e), je(t)), w = nn(x), S = je(w - k);
  (m < 1e-24 || S > 10) &&
      (m = 0,
       (e == 0 || t == 0) &&
           (m = 1e-24, p == 2 && u != $e && (l = 0), d == 2 && f != -$e && (i = 0)));
  let b = m || x || 1e3, A = nn(b), y = ms(10, wt(A)), C = b * (m == 0 ? e == 0 ? .1 : 1 : l),
      E = _e(kc(e - C, y / 10), 24),
      H = e >= u && (p == 1 || p == 3 && E <= u || p == 2 && E >= u) ? u : $e,
      T = at(r, E < H && e >= H ? H : zt(H, E)), j = b * (m == 0 ? t == 0 ? .1 : 1 : i),
      z = _e(Xo(t + j, y / 10), 24),
      O = t <= f && (d == 1 || d == 3 && z >= f || d == 2 && z <= f) ? f : -$e,
      G = zt(a, z > O && t <= O ? O : at(O, z));
  return T == G && T == 0 && (G = 100), [T, G]
}
var Fp = new Intl.NumberFormat(ws ? Cp.language : 'en-US'), Mi = e => Fp.format(e), yt = Math,
    Uo = yt.PI, je = yt.abs, wt = yt.floor, We = yt.round, Pt = yt.ceil, zt = yt.min, at = yt.max,
    ms = yt.pow, Ba = yt.sign, nn = yt.log10, wc = yt.log2, zp = (e, t = 1) => yt.sinh(e) * t,
    ri = (e, t = 1) => yt.asinh(e / t), $e = 1 / 0;
function Ga(e) { return (nn((e ^ e >> 31) - (e >> 31)) | 0) + 1 }
function mi(e, t, n) { return zt(at(e, t), n) }
function yc(e) { return typeof e == 'function' }
function oe(e) { return yc(e) ? e : () => e }
var Hp = () => {}, vc = e => e, bc = (e, t) => t, Ip = e => null, Ua = e => !0,
    Ya = (e, t) => e == t, Wp = /\.\d*?(?=9{6,}|0{6,})/gm, Rn = e => {
      if (Sc(e) || gn.has(e)) return e;
      let t = `${e}`, n = t.match(Wp);
      if (n == null) return e;
      let s = n[0].length - 1;
      if (t.indexOf('e-') != -1) {
        let [o, l] = t.split('e');
        return +`${Rn(o)}e${l}`
      }
      return _e(e, s)
    };
function Ln(e, t) { return Rn(_e(Rn(e / t)) * t) }
function Xo(e, t) { return Rn(Pt(Rn(e / t)) * t) }
function kc(e, t) { return Rn(wt(Rn(e / t)) * t) }
function _e(e, t = 0) {
  if (Sc(e)) return e;
  let n = 10 ** t, s = e * n * (1 + Number.EPSILON);
  return We(s) / n
}
var gn = new Map;
function xc(e) { return (('' + e).split('.')[1] || '').length }
function no(e, t, n, s) {
  let o = [], l = s.map(xc);
  for (let i = t; i < n; i++) {
    let r = je(i), a = _e(ms(e, i), r);
    for (let u = 0; u < s.length; u++) {
      let f = e == 10 ? +`${s[u]}e${i}` : s[u] * a, p = (i >= 0 ? 0 : r) + (i >= l[u] ? 0 : l[u]),
          d = e == 10 ? f : _e(f, p);
      o.push(d), gn.set(d, p)
    }
  }
  return o
}
var to = {}, Ti = [], gs = [null, null], mn = Array.isArray, Sc = Number.isInteger,
    jp = e => e === void 0;
function Ka(e) { return typeof e == 'string' }
function el(e) {
  let t = !1;
  if (e != null) {
    let n = e.constructor;
    t = n == null || n == Object
  }
  return t
}
function Vp(e) { return e != null && typeof e == 'object' }
var qp = Object.getPrototypeOf(Uint8Array), Mc = '__proto__';
function $s(e, t = el) {
  let n;
  if (mn(e)) {
    let s = e.find(o => o != null);
    if (mn(s) || t(s)) {
      n = Array(e.length);
      for (let o = 0; o < e.length; o++) n[o] = $s(e[o], t)
    } else n = e.slice()
  } else if (e instanceof qp) n = e.slice();
  else if (t(e)) {
    n = {};
    for (let s in e) s != Mc && (n[s] = $s(e[s], t))
  } else n = e;
  return n
}
function Fe(e) {
  let t = arguments;
  for (let n = 1; n < t.length; n++) {
    let s = t[n];
    for (let o in s) o != Mc && (el(e[o]) ? Fe(e[o], $s(s[o])) : e[o] = $s(s[o]))
  }
  return e
}
var Bp = 0, Gp = 1, Up = 2;
function Yp(e, t, n) {
  for (let s = 0, o, l = -1; s < t.length; s++) {
    let i = t[s];
    if (i > l) {
      for (o = i - 1; o >= 0 && e[o] == null;) e[o--] = null;
      for (o = i + 1; o < n && e[o] == null;) e[l = o++] = null
    }
  }
}
function Kp(e, t) {
  if (Zp(e)) {
    let i = e[0].slice();
    for (let r = 1; r < e.length; r++) i.push(...e[r].slice(1));
    return Xp(i[0]) || (i = Qp(i)), i
  }
  let n = new Set;
  for (let i = 0; i < e.length; i++) {
    let a = e[i][0], u = a.length;
    for (let f = 0; f < u; f++) n.add(a[f])
  }
  let s = [Array.from(n).sort((i, r) => i - r)], o = s[0].length, l = new Map;
  for (let i = 0; i < o; i++) l.set(s[0][i], i);
  for (let i = 0; i < e.length; i++) {
    let r = e[i], a = r[0];
    for (let u = 1; u < r.length; u++) {
      let f = r[u], p = Array(o).fill(void 0), d = t ? t[i][u] : Gp, m = [];
      for (let k = 0; k < f.length; k++) {
        let x = f[k], w = l.get(a[k]);
        x === null ? d != Bp && (p[w] = x, d == Up && m.push(w)) : p[w] = x
      }
      Yp(p, m, o), s.push(p)
    }
  }
  return s
}
var Jp = typeof queueMicrotask > 'u' ? e => Promise.resolve().then(e) : queueMicrotask;
function Qp(e) {
  let t = e[0], n = t.length, s = Array(n);
  for (let l = 0; l < s.length; l++) s[l] = l;
  s.sort((l, i) => t[l] - t[i]);
  let o = [];
  for (let l = 0; l < e.length; l++) {
    let i = e[l], r = Array(n);
    for (let a = 0; a < n; a++) r[a] = i[s[a]];
    o.push(r)
  }
  return o
}
function Zp(e) {
  let t = e[0][0], n = t.length;
  for (let s = 1; s < e.length; s++) {
    let o = e[s][0];
    if (o.length != n) return !1;
    if (o != t) {
      for (let l = 0; l < n; l++)
        if (o[l] != t[l]) return !1
    }
  }
  return !0
}
function Xp(e, t = 100) {
  let n = e.length;
  if (n <= 1) return !0;
  let s = 0, o = n - 1;
  for (; s <= o && e[s] == null;) s++;
  for (; o >= s && e[o] == null;) o--;
  if (o <= s) return !0;
  let l = at(1, wt((o - s + 1) / t));
  for (let i = e[s], r = s + l; r <= o; r += l) {
    let a = e[r];
    if (a != null) {
      if (a <= i) return !1;
      i = a
    }
  }
  return !0
}
var Tc =
        [
          'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September',
          'October', 'November', 'December'
        ],
    Ac = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
function Ec(e) { return e.slice(0, 3) }
var ed = Ac.map(Ec), td = Tc.map(Ec), nd = {MMMM: Tc, MMM: td, WWWW: Ac, WWW: ed};
function Js(e) { return (e < 10 ? '0' : '') + e }
function sd(e) { return (e < 10 ? '00' : e < 100 ? '0' : '') + e }
var od = {
  YYYY: e => e.getFullYear(),
  YY: e => (e.getFullYear() + '').slice(2),
  MMMM: (e, t) => t.MMMM[e.getMonth()],
  MMM: (e, t) => t.MMM[e.getMonth()],
  MM: e => Js(e.getMonth() + 1),
  M: e => e.getMonth() + 1,
  DD: e => Js(e.getDate()),
  D: e => e.getDate(),
  WWWW: (e, t) => t.WWWW[e.getDay()],
  WWW: (e, t) => t.WWW[e.getDay()],
  HH: e => Js(e.getHours()),
  H: e => e.getHours(),
  h: e => {
    let t = e.getHours();
    return t == 0 ? 12 : t > 12 ? t - 12 : t
  },
  AA: e => e.getHours() >= 12 ? 'PM' : 'AM',
  aa: e => e.getHours() >= 12 ? 'pm' : 'am',
  a: e => e.getHours() >= 12 ? 'p' : 'a',
  mm: e => Js(e.getMinutes()),
  m: e => e.getMinutes(),
  ss: e => Js(e.getSeconds()),
  s: e => e.getSeconds(),
  fff: e => sd(e.getMilliseconds())
};
function Ai(e, t) {
  t = t || nd;
  let n = [], s = /\{([a-z]+)\}|[^{]+/gi, o;
  for (; o = s.exec(e);) n.push(o[0][0] == '{' ? od[o[1]] : o[0]);
  return l => {
    let i = '';
    for (let r = 0; r < n.length; r++) i += typeof n[r] == 'string' ? n[r] : n[r](l, t);
    return i
  }
}
var ld = new Intl.DateTimeFormat().resolvedOptions().timeZone;
function id(e, t) {
  let n;
  return t == 'UTC' || t == 'Etc/UTC' ? n = new Date(+e + e.getTimezoneOffset() * 6e4) :
             t == ld                  ? n = e :
                                        (n = new Date(e.toLocaleString('en-US', {timeZone: t})),
                        n.setMilliseconds(e.getMilliseconds())),
                                        n
}
var Pc = e => e % 1 == 0, Jo = [1, 2, 2.5, 5], rd = no(10, -32, 0, Jo), Cc = no(10, 0, 32, Jo),
    ad = Cc.filter(Pc), On = rd.concat(Cc), Ei = `
`,
    Lc = '{YYYY}', Ja = Ei + Lc, Oc = '{M}/{D}', Xs = Ei + Oc, Bo = Xs + '/{YY}', Nc = '{aa}',
    cd = '{h}:{mm}', ps = cd + Nc, Qa = Ei + ps, Za = ':{ss}', he = null;
function Dc(e) {
  let t = e * 1e3, n = t * 60, s = n * 60, o = s * 24, l = o * 30, i = o * 365,
      a = (e == 1 ? no(10, 0, 3, Jo).filter(Pc) : no(10, -3, 0, Jo)).concat([
        t,     t * 5, t * 10, t * 15, t * 30, n,     n * 5,  n * 10, n * 15, n * 30,
        s,     s * 2, s * 3,  s * 4,  s * 6,  s * 8, s * 12, o,      o * 2,  o * 3,
        o * 4, o * 5, o * 6,  o * 7,  o * 8,  o * 9, o * 10, o * 15, l,      l * 2,
        l * 3, l * 4, l * 6,  i,      i * 2,  i * 5, i * 10, i * 25, i * 50, i * 100
      ]),
      u = [
        [i, Lc, he, he, he, he, he, he, 1], [o * 28, '{MMM}', Ja, he, he, he, he, he, 1],
        [o, Oc, Ja, he, he, he, he, he, 1], [s, '{h}' + Nc, Bo, he, Xs, he, he, he, 1],
        [n, ps, Bo, he, Xs, he, he, he, 1],
        [t, Za, Bo + ' ' + ps, he, Xs + ' ' + ps, he, Qa, he, 1],
        [e, Za + '.{fff}', Bo + ' ' + ps, he, Xs + ' ' + ps, he, Qa, he, 1]
      ];
  function f(p) {
    return (d, m, k, x, w, S) => {
      let b = [], A = w >= i, y = w >= l && w < i, C = p(k), E = _e(C * e, 3),
          H = ai(C.getFullYear(), A ? 0 : C.getMonth(), y || A ? 1 : C.getDate()), T = _e(H * e, 3);
      if (y || A) {
        let j = y ? w / l : 0, z = A ? w / i : 0,
            O = E == T ? E : _e(ai(H.getFullYear() + z, H.getMonth() + j, 1) * e, 3),
            G = new Date(We(O / e)), R = G.getFullYear(), X = G.getMonth();
        for (let J = 0; O <= x; J++) {
          let le = ai(R + z * J, X + j * J, 1), K = le - p(_e(le * e, 3));
          O = _e((+le + K) * e, 3), O <= x && b.push(O)
        }
      } else {
        let j = w >= o ? o : w, z = wt(k) - wt(E), O = T + z + Xo(E - T, j);
        b.push(O);
        let G = p(O), R = G.getHours() + G.getMinutes() / n + G.getSeconds() / s, X = w / s,
            J = d.axes[m]._space, le = S / J;
        for (; O = _e(O + w, e == 1 ? 0 : 3), !(O > x);)
          if (X > 1) {
            let K = wt(_e(R + X, 6)) % 24, ie = p(O).getHours() - K;
            ie > 1 && (ie = -1), O -= ie * s, R = (R + X) % 24;
            let de = b[b.length - 1];
            _e((O - de) / w, 3) * le >= .7 && b.push(O)
          } else b.push(O)
      }
      return b
    }
  }
  return [a, u, f]
}
var [ud, fd, hd] = Dc(1), [pd, dd, md] = Dc(.001);
no(2, -53, 53, [1]);
function Xa(e, t) {
  return e.map(
      n => n.map(
          (s, o) => o == 0 || o == 8 || s == null ? s : t(o == 1 || n[8] == 0 ? s : n[1] + s)))
}
function ec(e, t) {
  return (n, s, o, l, i) => {
    let r = t.find(k => i >= k[0]) || t[t.length - 1], a, u, f, p, d, m;
    return s.map(k => {
      let x = e(k), w = x.getFullYear(), S = x.getMonth(), b = x.getDate(), A = x.getHours(),
          y = x.getMinutes(), C = x.getSeconds(),
          E = w != a && r[2] || S != u && r[3] || b != f && r[4] || A != p && r[5] ||
          y != d && r[6] || C != m && r[7] || r[1];
      return a = w, u = S, f = b, p = A, d = y, m = C, E(x)
    })
  }
}
function gd(e, t) {
  let n = Ai(t);
  return (s, o, l, i, r) => o.map(a => n(e(a)))
}
function ai(e, t, n) { return new Date(e, t, n) }
function tc(e, t) { return t(e) }
var $d = '{YYYY}-{MM}-{DD} {h}:{mm}{aa}';
function nc(e, t) { return (n, s, o, l) => l == null ? bi : t(e(s)) }
function _d(e, t) {
  let n = e.series[t];
  return n.width ? n.stroke(e, t) : n.points.width ? n.points.stroke(e, t) : null
}
function wd(e, t) { return e.series[t].fill(e, t) }
var yd = {
  show: !0,
  live: !0,
  isolate: !1,
  mount: Hp,
  markers: {show: !0, width: 2, stroke: _d, fill: wd, dash: 'solid'},
  idx: null,
  idxs: null,
  values: []
};
function vd(e, t) {
  let n = e.cursor.points, s = Et(), o = n.size(e, t);
  Se(s, Qs, o), Se(s, Zs, o);
  let l = o / -2;
  Se(s, 'marginLeft', l), Se(s, 'marginTop', l);
  let i = n.width(e, t, o);
  return i && Se(s, 'borderWidth', i), s
}
function bd(e, t) {
  let n = e.series[t].points;
  return n._fill || n._stroke
}
function kd(e, t) {
  let n = e.series[t].points;
  return n._stroke || n._fill
}
function xd(e, t) { return e.series[t].points.size }
var ci = [0, 0];
function Sd(e, t, n) { return ci[0] = t, ci[1] = n, ci }
function Go(e, t, n, s = !0) {
  return o => {
    o.button == 0 && (!s || o.target == t) && n(o)
  }
}
function ui(e, t, n, s = !0) {
  return o => {
    (!s || o.target == t) && n(o)
  }
}
var Md = {
  show: !0,
  x: !0,
  y: !0,
  lock: !1,
  move: Sd,
  points: {one: !1, show: vd, size: xd, width: 0, stroke: kd, fill: bd},
  bind: {
    mousedown: Go,
    mouseup: Go,
    click: Go,
    dblclick: Go,
    mousemove: ui,
    mouseleave: ui,
    mouseenter: ui
  },
  drag: {
    setScale: !0,
    x: !0,
    y: !1,
    dist: 0,
    uni: null,
    click: (e, t) => {t.stopPropagation(), t.stopImmediatePropagation()},
    _x: !1,
    _y: !1
  },
  focus: {dist: (e, t, n, s, o) => s - o, prox: -1, bias: 0},
  hover: {skip: [void 0], prox: null, bias: 0},
  left: -10,
  top: -10,
  idx: null,
  dataIdx: null,
  idxs: null,
  event: null
},
    Rc = {show: !0, stroke: 'rgba(0,0,0,0.07)', width: 2}, Pi = Fe({}, Rc, {filter: bc}),
    Fc = Fe({}, Pi, {size: 10}), zc = Fe({}, Rc, {show: !1}),
    Ci =
        '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',
    Hc = 'bold ' + Ci, Ic = 1.5, sc = {
      show: !0,
      scale: 'x',
      stroke: vi,
      space: 50,
      gap: 5,
      alignTo: 1,
      size: 50,
      labelGap: 0,
      labelSize: 30,
      labelFont: Hc,
      side: 2,
      grid: Pi,
      ticks: Fc,
      border: zc,
      font: Ci,
      lineGap: Ic,
      rotate: 0
    },
    Td = 'Value', Ad = 'Time',
    oc = {show: !0, scale: 'x', auto: !1, sorted: 1, min: $e, max: -$e, idxs: []};
function Ed(e, t, n, s, o) { return t.map(l => l == null ? '' : Mi(l)) }
function Pd(e, t, n, s, o, l, i) {
  let r = [], a = gn.get(o) || 0;
  n = i ? n : _e(Xo(n, o), a);
  for (let u = n; u <= s; u = _e(u + o, a)) r.push(Object.is(u, -0) ? 0 : u);
  return r
}
function gi(e, t, n, s, o, l, i) {
  let r = [], a = e.scales[e.axes[t].scale].log, u = a == 10 ? nn : wc, f = wt(u(n));
  o = ms(a, f), a == 10 && (o = On[Ft(o, On)]);
  let p = n, d = o * a;
  a == 10 && (d = On[Ft(d, On)]);
  do
    r.push(p), p = p + o, a == 10 && !gn.has(p) && (p = _e(p, gn.get(o))),
               p >= d && (o = p, d = o * a, a == 10 && (d = On[Ft(d, On)]));
  while (p <= s);
  return r
}
function Cd(e, t, n, s, o, l, i) {
  let a = e.scales[e.axes[t].scale].asinh, u = s > a ? gi(e, t, at(a, n), s, o) : [a],
      f = s >= 0 && n <= 0 ? [0] : [];
  return (n < -a ? gi(e, t, at(a, -s), -n, o) : [a]).reverse().map(d => -d).concat(f, u)
}
var Wc = /./, Ld = /[12357]/, Od = /[125]/, lc = /1/,
    $i = (e, t, n, s) => e.map(
        (o, l) =>
            t == 4 && o == 0 || l % s == 0 && n.test(o.toExponential()[o < 0 ? 1 : 0]) ? o : null);
function Nd(e, t, n, s, o) {
  let l = e.axes[n], i = l.scale, r = e.scales[i], a = e.valToPos, u = l._space, f = a(10, i),
      p = a(9, i) - f >= u ? Wc :
      a(7, i) - f >= u     ? Ld :
      a(5, i) - f >= u     ? Od :
                             lc;
  if (p == lc) {
    let d = je(a(1, i) - f);
    if (d < u) return $i(t.slice().reverse(), r.distr, p, Pt(u / d)).reverse()
  }
  return $i(t, r.distr, p, 1)
}
function Dd(e, t, n, s, o) {
  let l = e.axes[n], i = l.scale, r = l._space, a = e.valToPos, u = je(a(1, i) - a(2, i));
  return u < r ? $i(t.slice().reverse(), 3, Wc, Pt(r / u)).reverse() : t
}
function Rd(e, t, n, s) { return s == null ? bi : t == null ? '' : Mi(t) }
var ic = {
  show: !0,
  scale: 'y',
  stroke: vi,
  space: 30,
  gap: 5,
  alignTo: 1,
  size: 50,
  labelGap: 0,
  labelSize: 30,
  labelFont: Hc,
  side: 3,
  grid: Pi,
  ticks: Fc,
  border: zc,
  font: Ci,
  lineGap: Ic,
  rotate: 0
};
function Fd(e, t) {
  let n = 3 + (e || 1) * 2;
  return _e(n * t, 3)
}
function zd(e, t) {
  let {scale: n, idxs: s} = e.series[0], o = e._data[0], l = e.valToPos(o[s[0]], n, !0),
                       i = e.valToPos(o[s[1]], n, !0), r = je(i - l), a = e.series[t],
                       u = r / (a.points.space * ue);
  return s[1] - s[0] <= u
}
var rc = {scale: null, auto: !0, sorted: 0, min: $e, max: -$e}, jc = (e, t, n, s, o) => o, ac = {
  show: !0,
  auto: !0,
  sorted: 0,
  gaps: jc,
  alpha: 1,
  facets: [Fe({}, rc, {scale: 'x'}), Fe({}, rc, {scale: 'y'})]
},
    cc = {
      scale: 'y',
      auto: !0,
      sorted: 0,
      show: !0,
      spanGaps: !1,
      gaps: jc,
      alpha: 1,
      points: {show: zd, filter: null},
      values: null,
      min: $e,
      max: -$e,
      idxs: [],
      path: null,
      clip: null
    };
function Hd(e, t, n, s, o) { return n / 10 }
var Vc = {time: !0, auto: !0, distr: 1, log: 10, asinh: 1, min: null, max: null, dir: 1, ori: 0},
    Id = Fe({}, Vc, {time: !1, ori: 1}), uc = {};
function qc(e, t) {
  let n = uc[e];
  return n ||
             (n = {
               key: e,
               plots: [],
               sub(s) { n.plots.push(s) },
               unsub(s) { n.plots = n.plots.filter(o => o != s) },
               pub(s, o, l, i, r, a, u) {
                 for (let f = 0; f < n.plots.length; f++)
                   n.plots[f] != o && n.plots[f].pub(s, o, l, i, r, a, u)
               }
             },
              e != null && (uc[e] = n)),
         n
}
var _s = 1, _i = 2;
function Fn(e, t, n) {
  let s = e.mode, o = e.series[t], l = s == 2 ? e._data[t] : e._data, i = e.scales, r = e.bbox,
      a = l[0], u = s == 2 ? l[1] : l[t], f = s == 2 ? i[o.facets[0].scale] : i[e.series[0].scale],
      p = s == 2 ? i[o.facets[1].scale] : i[o.scale], d = r.left, m = r.top, k = r.width,
      x = r.height, w = e.valToPosH, S = e.valToPosV;
  return f.ori == 0 ? n(o, a, u, f, p, w, S, d, m, k, x, nl, ys, ol, Gc, Yc) :
                      n(o, a, u, f, p, S, w, m, d, x, k, sl, vs, Ni, Uc, Kc)
}
function Li(e, t) {
  let n = 0, s = 0, o = ae(e.bands, Ti);
  for (let l = 0; l < o.length; l++) {
    let i = o[l];
    i.series[0] == t ? n = i.dir : i.series[1] == t && (i.dir == 1 ? s |= 1 : s |= 2)
  }
  return [n, s == 1 ? -1 : s == 2 ? 1 : s == 3 ? 2 : 0]
}
function Wd(e, t, n, s, o) {
  let l = e.mode, i = e.series[t], r = l == 2 ? i.facets[1].scale : i.scale, a = e.scales[r];
  return o == -1 ? a.min : o == 1 ? a.max : a.distr == 3 ? a.dir == 1 ? a.min : a.max : 0
}
function sn(e, t, n, s, o, l) {
  return Fn(e, t, (i, r, a, u, f, p, d, m, k, x, w) => {
    let S = i.pxRound, b = u.dir * (u.ori == 0 ? 1 : -1), A = u.ori == 0 ? ys : vs, y, C;
    b == 1 ? (y = n, C = s) : (y = s, C = n);
    let E = S(p(r[y], u, x, m)), H = S(d(a[y], f, w, k)), T = S(p(r[C], u, x, m)),
        j = S(d(l == 1 ? f.max : f.min, f, w, k)), z = new Path2D(o);
    return A(z, T, j), A(z, E, j), A(z, E, H), z
  })
}
function tl(e, t, n, s, o, l) {
  let i = null;
  if (e.length > 0) {
    i = new Path2D;
    let r = t == 0 ? ol : Ni, a = n;
    for (let p = 0; p < e.length; p++) {
      let d = e[p];
      if (d[1] > d[0]) {
        let m = d[0] - a;
        m > 0 && r(i, a, s, m, s + l), a = d[1]
      }
    }
    let u = n + o - a, f = 10;
    u > 0 && r(i, a, s - f / 2, u, s + l + f)
  }
  return i
}
function jd(e, t, n) {
  let s = e[e.length - 1];
  s && s[0] == t ? s[1] = n : e.push([t, n])
}
function Oi(e, t, n, s, o, l, i) {
  let r = [], a = e.length;
  for (let u = o == 1 ? n : s; u >= n && u <= s; u += o)
    if (t[u] === null) {
      let p = u, d = u;
      if (o == 1)
        for (; ++u <= s && t[u] === null;) d = u;
      else
        for (; --u >= n && t[u] === null;) d = u;
      let m = l(e[p]), k = d == p ? m : l(e[d]), x = p - o;
      m = i <= 0 && x >= 0 && x < a ? l(e[x]) : m;
      let S = d + o;
      k = i >= 0 && S >= 0 && S < a ? l(e[S]) : k, k >= m && r.push([m, k])
    }
  return r
}
function fc(e) { return e == 0 ? vc : e == 1 ? We : t => Ln(t, e) }
function Bc(e) {
  let t = e == 0 ? nl : sl, n = e == 0 ? (o, l, i, r, a, u) => {
    o.arcTo(l, i, r, a, u)
  } : (o, l, i, r, a, u) => {
    o.arcTo(i, l, a, r, u)
  }, s = e == 0 ? (o, l, i, r, a) => {
    o.rect(l, i, r, a)
  } : (o, l, i, r, a) => {
    o.rect(i, l, a, r)
  };
  return (o, l, i, r, a, u = 0, f = 0) => {
    u == 0 && f == 0 ? s(o, l, i, r, a) :
                       (u = zt(u, r / 2, a / 2), f = zt(f, r / 2, a / 2), t(o, l + u, i),
                        n(o, l + r, i, l + r, i + a, u), n(o, l + r, i + a, l, i + a, f),
                        n(o, l, i + a, l, i, f), n(o, l, i, l + r, i, u), o.closePath())
  }
}
var nl = (e, t, n) => {
  e.moveTo(t, n)
}, sl = (e, t, n) => {
  e.moveTo(n, t)
}, ys = (e, t, n) => {
  e.lineTo(t, n)
}, vs = (e, t, n) => {
  e.lineTo(n, t)
}, ol = Bc(0), Ni = Bc(1), Gc = (e, t, n, s, o, l) => {
  e.arc(t, n, s, o, l)
}, Uc = (e, t, n, s, o, l) => {
  e.arc(n, t, s, o, l)
}, Yc = (e, t, n, s, o, l, i) => {
  e.bezierCurveTo(t, n, s, o, l, i)
}, Kc = (e, t, n, s, o, l, i) => {
  e.bezierCurveTo(n, t, o, s, i, l)
};
function Jc(e) {
  return (t, n, s, o, l) => Fn(t, n, (i, r, a, u, f, p, d, m, k, x, w) => {
           let {pxRound: S, points: b} = i, A, y;
           u.ori == 0 ? (A = nl, y = Gc) : (A = sl, y = Uc);
           let C = _e(b.width * ue, 3), E = (b.size - b.width) / 2 * ue, H = _e(E * 2, 3),
               T = new Path2D, j = new Path2D, {left: z, top: O, width: G, height: R} = t.bbox;
           ol(j, z - H, O - H, G + H * 2, R + H * 2);
           let X = J => {
             if (a[J] != null) {
               let le = S(p(r[J], u, x, m)), K = S(d(a[J], f, w, k));
               A(T, le + E, K), y(T, le, K, E, 0, Uo * 2)
             }
           };
           if (l) l.forEach(X);
           else
             for (let J = s; J <= o; J++) X(J);
           return { stroke: C > 0 ? T : null, fill: T, clip: j, flags: _s|_i }
         })
}
function Qc(e) {
  return (t, n, s, o, l, i) => {
    s != o && (l != s && i != s && e(t, n, s), l != o && i != o && e(t, n, o), e(t, n, i))
  }
}
var Vd = Qc(ys), qd = Qc(vs);
function Zc(e) {
  let t = ae(e?.alignGaps, 0);
  return (n, s, o, l) => Fn(n, s, (i, r, a, u, f, p, d, m, k, x, w) => {
           [o, l] = Qo(a, o, l);
           let S = i.pxRound, b = R => S(p(R, u, x, m)), A = R => S(d(R, f, w, k)), y, C;
           u.ori == 0 ? (y = ys, C = Vd) : (y = vs, C = qd);
           let E = u.dir * (u.ori == 0 ? 1 : -1),
               H = {stroke: new Path2D, fill: null, clip: null, band: null, gaps: null, flags: _s},
               T = H.stroke, j = !1;
           if (l - o >= x * 4) {
             let R = U => n.posToVal(U, u.key, !0), X = null, J = null, le, K, ct,
                 Me = b(r[E == 1 ? o : l]), ie = b(r[o]), de = b(r[l]),
                 ne = R(E == 1 ? ie + 1 : de - 1);
             for (let U = E == 1 ? o : l; U >= o && U <= l; U += E) {
               let ze = r[U], Te = (E == 1 ? ze < ne : ze > ne) ? Me : b(ze), fe = a[U];
               Te == Me ? fe != null ? (K = fe,
                                        X == null ? (y(T, Te, A(K)), le = X = J = K) :
                                            K < X ? X = K :
                                                    K > J && (J = K)) :
                                       fe === null && (j = !0) :
                          (X != null && C(T, Me, A(X), A(J), A(le), A(K)),
                           fe != null ? (K = fe, y(T, Te, A(K)), X = J = le = K) :
                                        (X = J = null, fe === null && (j = !0)),
                           Me = Te, ne = R(Me + E))
             }
             X != null && X != J && ct != Me && C(T, Me, A(X), A(J), A(le), A(K))
           } else
             for (let R = E == 1 ? o : l; R >= o && R <= l; R += E) {
               let X = a[R];
               X === null ? j = !0 : X != null && y(T, b(r[R]), A(X))
             }
           let [O, G] = Li(n, s);
           if (i.fill != null || O != 0) {
             let R = H.fill = new Path2D(T), X = i.fillTo(n, s, i.min, i.max, O), J = A(X),
                 le = b(r[o]), K = b(r[l]);
             E == -1 && ([K, le] = [le, K]), y(R, K, J), y(R, le, J)
           }
           if (!i.spanGaps) {
             let R = [];
             j && R.push(...Oi(r, a, o, l, E, b, t)), H.gaps = R = i.gaps(n, s, o, l, R),
                                                      H.clip = tl(R, u.ori, m, k, x, w)
           }
           return G != 0 &&
                      (H.band = G == 2 ? [sn(n, s, o, l, T, -1), sn(n, s, o, l, T, 1)] :
                                         sn(n, s, o, l, T, G)),
                  H
         })
}
function Bd(e) {
  let t = ae(e.align, 1), n = ae(e.ascDesc, !1), s = ae(e.alignGaps, 0), o = ae(e.extend, !1);
  return (l, i, r, a) => Fn(l, i, (u, f, p, d, m, k, x, w, S, b, A) => {
           [r, a] = Qo(p, r, a);
           let y = u.pxRound, {left: C, width: E} = l.bbox, H = ie => y(k(ie, d, b, w)),
               T = ie => y(x(ie, m, A, S)), j = d.ori == 0 ? ys : vs,
               z = {stroke: new Path2D, fill: null, clip: null, band: null, gaps: null, flags: _s},
               O = z.stroke, G = d.dir * (d.ori == 0 ? 1 : -1), R = T(p[G == 1 ? r : a]),
               X = H(f[G == 1 ? r : a]), J = X, le = X;
           o && t == -1 && (le = C, j(O, le, R)), j(O, X, R);
           for (let ie = G == 1 ? r : a; ie >= r && ie <= a; ie += G) {
             let de = p[ie];
             if (de == null) continue;
             let ne = H(f[ie]), U = T(de);
             t == 1 ? j(O, ne, R) : j(O, J, U), j(O, ne, U), R = U, J = ne
           }
           let K = J;
           o && t == 1 && (K = C + E, j(O, K, R));
           let [ct, Me] = Li(l, i);
           if (u.fill != null || ct != 0) {
             let ie = z.fill = new Path2D(O), de = u.fillTo(l, i, u.min, u.max, ct), ne = T(de);
             j(ie, K, ne), j(ie, le, ne)
           }
           if (!u.spanGaps) {
             let ie = [];
             ie.push(...Oi(f, p, r, a, G, H, s));
             let de = u.width * ue / 2, ne = n || t == 1 ? de : -de, U = n || t == -1 ? -de : de;
             ie.forEach(ze => {ze[0] += ne, ze[1] += U}), z.gaps = ie = u.gaps(l, i, r, a, ie),
                                                          z.clip = tl(ie, d.ori, w, S, b, A)
           }
           return Me != 0 &&
                      (z.band = Me == 2 ? [sn(l, i, r, a, O, -1), sn(l, i, r, a, O, 1)] :
                                          sn(l, i, r, a, O, Me)),
                  z
         })
}
function hc(e, t, n, s, o, l, i = $e) {
  if (e.length > 1) {
    let r = null;
    for (let a = 0, u = 1 / 0; a < e.length; a++)
      if (t[a] !== void 0) {
        if (r != null) {
          let f = je(e[a] - e[r]);
          f < u && (u = f, i = je(n(e[a], s, o, l) - n(e[r], s, o, l)))
        }
        r = a
      }
  }
  return i
}
function Gd(e) {
  e = e || to;
  let t = ae(e.size, [.6, $e, 1]), n = e.align || 0, s = e.gap || 0, o = e.radius;
  o = o == null ? [0, 0] : typeof o == 'number' ? [o, 0] : o;
  let l = oe(o), i = 1 - t[0], r = ae(t[1], $e), a = ae(t[2], 1), u = ae(e.disp, to),
      f = ae(e.each, m => {}), {fill: p, stroke: d} = u;
  return (m, k, x, w) => Fn(m, k, (S, b, A, y, C, E, H, T, j, z, O) => {
           let G = S.pxRound, R = n, X = s * ue, J = r * ue, le = a * ue, K, ct;
           y.ori == 0 ? [K, ct] = l(m, k) : [ct, K] = l(m, k);
           let Me = y.dir * (y.ori == 0 ? 1 : -1), ie = y.ori == 0 ? ol : Ni,
               de = y.ori == 0 ? f :
                                 (q, we, He, jn, wn, It, yn) => {
                                   f(q, we, He, wn, jn, yn, It)
                                 },
               ne = ae(m.bands, Ti).find(q => q.series[0] == k), U = ne != null ? ne.dir : 0,
               ze = S.fillTo(m, k, S.min, S.max, U), et = G(H(ze, C, O, j)), Te, fe, Ct, pt = z,
               Ee = G(S.width * ue), Ht = !1, Jt = null, vt = null, on = null, Hn = null;
           p != null && (Ee == 0 || d != null) &&
               (Ht = !0, Jt = p.values(m, k, x, w), vt = new Map,
                new Set(Jt).forEach(q => {q != null && vt.set(q, new Path2D)}),
                Ee > 0 &&
                    (on = d.values(m, k, x, w), Hn = new Map,
                     new Set(on).forEach(q => {q != null && Hn.set(q, new Path2D)})));
           let {x0: In, size: Ss} = u;
           if (In != null && Ss != null) {
             R = 1, b = In.values(m, k, x, w),
             In.unit == 2 && (b = b.map(He => m.posToVal(T + He * z, y.key, !0)));
             let q = Ss.values(m, k, x, w);
             Ss.unit == 2 ? fe = q[0]* z : fe = E(q[0], y, z, T) - E(0, y, z, T),
                            pt = hc(b, A, E, y, z, T, pt), Ct = pt - fe + X
           } else pt = hc(b, A, E, y, z, T, pt), Ct = pt * i + X, fe = pt - Ct;
           Ct < 1 && (Ct = 0), Ee >= fe / 2 && (Ee = 0), Ct < 5 && (G = vc);
           let lo = Ct > 0, $n = pt - Ct - (lo ? Ee : 0);
           fe = G(mi($n, le, J)),
           Te = (R == 0      ? fe / 2 :
                     R == Me ? 0 :
                               fe) -
               R * Me * ((R == 0 ? X / 2 : 0) + (lo ? Ee / 2 : 0));
           let tt = {stroke: null, fill: null, clip: null, band: null, gaps: null, flags: 0},
               Wn = Ht ? null : new Path2D, Qt = null;
           if (ne != null) Qt = m.data[ne.series[1]];
           else {
             let {y0: q, y1: we} = u;
             q != null && we != null && (A = we.values(m, k, x, w), Qt = q.values(m, k, x, w))
           }
           let _n = K * fe, te = ct * fe;
           for (let q = Me == 1 ? x : w; q >= x && q <= w; q += Me) {
             let we = A[q];
             if (we == null) continue;
             if (Qt != null) {
               let ut = Qt[q] ?? 0;
               if (we - ut == 0) continue;
               et = H(ut, C, O, j)
             }
             let He = y.distr != 2 || u != null ? b[q] : q, jn = E(He, y, z, T),
                 wn = H(ae(we, ze), C, O, j), It = G(jn - Te), yn = G(at(wn, et)),
                 dt = G(zt(wn, et)), bt = yn - dt;
             if (we != null) {
               let ut = we < 0 ? te : _n, Lt = we < 0 ? _n : te;
               Ht ? (Ee > 0 && on[q] != null &&
                         ie(Hn.get(on[q]), It, dt + wt(Ee / 2), fe, at(0, bt - Ee), ut, Lt),
                     Jt[q] != null &&
                         ie(vt.get(Jt[q]), It, dt + wt(Ee / 2), fe, at(0, bt - Ee), ut, Lt)) :
                    ie(Wn, It, dt + wt(Ee / 2), fe, at(0, bt - Ee), ut, Lt),
                   de(m, k, q, It - Ee / 2, dt, fe + Ee, bt)
             }
           }
           return Ee > 0 ? tt.stroke = Ht ? Hn : Wn :
                           Ht ||
                          (tt._fill = S.width == 0 ? S._fill : S._stroke ?? S._fill, tt.width = 0),
                           tt.fill = Ht ? vt : Wn, tt
         })
}
function Ud(e, t) {
  let n = ae(t?.alignGaps, 0);
  return (s, o, l, i) => Fn(s, o, (r, a, u, f, p, d, m, k, x, w, S) => {
           [l, i] = Qo(u, l, i);
           let b = r.pxRound, A = K => b(d(K, f, w, k)), y = K => b(m(K, p, S, x)), C, E, H;
           f.ori == 0 ? (C = nl, H = ys, E = Yc) : (C = sl, H = vs, E = Kc);
           let T = f.dir * (f.ori == 0 ? 1 : -1), j = A(a[T == 1 ? l : i]), z = j, O = [], G = [];
           for (let K = T == 1 ? l : i; K >= l && K <= i; K += T)
             if (u[K] != null) {
               let Me = a[K], ie = A(Me);
               O.push(z = ie), G.push(y(u[K]))
             }
           let R = {
             stroke: e(O, G, C, H, E, b),
             fill: null,
             clip: null,
             band: null,
             gaps: null,
             flags: _s
           },
               X = R.stroke, [J, le] = Li(s, o);
           if (r.fill != null || J != 0) {
             let K = R.fill = new Path2D(X), ct = r.fillTo(s, o, r.min, r.max, J), Me = y(ct);
             H(K, z, Me), H(K, j, Me)
           }
           if (!r.spanGaps) {
             let K = [];
             K.push(...Oi(a, u, l, i, T, A, n)), R.gaps = K = r.gaps(s, o, l, i, K),
                                                 R.clip = tl(K, f.ori, k, x, w, S)
           }
           return le != 0 &&
                      (R.band = le == 2 ? [sn(s, o, l, i, X, -1), sn(s, o, l, i, X, 1)] :
                                          sn(s, o, l, i, X, le)),
                  R
         })
}
function Yd(e) { return Ud(Kd, e) }
function Kd(e, t, n, s, o, l) {
  let i = e.length;
  if (i < 2) return null;
  let r = new Path2D;
  if (n(r, e[0], t[0]), i == 2) s(r, e[1], t[1]);
  else {
    let a = Array(i), u = Array(i - 1), f = Array(i - 1), p = Array(i - 1);
    for (let d = 0; d < i - 1; d++)
      f[d] = t[d + 1] - t[d], p[d] = e[d + 1] - e[d], u[d] = f[d] / p[d];
    a[0] = u[0];
    for (let d = 1; d < i - 1; d++)
      u[d] === 0 || u[d - 1] === 0 || u[d - 1] > 0 != u[d] > 0 ?
          a[d] = 0 :
          (a[d] = 3 * (p[d - 1] + p[d]) /
               ((2 * p[d] + p[d - 1]) / u[d - 1] + (p[d] + 2 * p[d - 1]) / u[d]),
           isFinite(a[d]) || (a[d] = 0));
    a[i - 1] = u[i - 2];
    for (let d = 0; d < i - 1; d++)
      o(r, e[d] + p[d] / 3, t[d] + a[d] * p[d] / 3, e[d + 1] - p[d] / 3,
        t[d + 1] - a[d + 1] * p[d] / 3, e[d + 1], t[d + 1])
  }
  return r
}
var wi = new Set;
function pc() {
  for (let e of wi) e.syncRect(!0)
}
ws && (Dn(Ep, ds, pc), Dn(Pp, ds, pc, !0), Dn(Yo, ds, () => {Ke.pxRatio = ue}));
var Jd = Zc(), Qd = Jc();
function dc(e, t, n, s) {
  return (s ? [e[0], e[1]].concat(e.slice(2)) : [e[0]].concat(e.slice(1)))
      .map((l, i) => yi(l, i, t, n))
}
function Zd(e, t) { return e.map((n, s) => s == 0 ? {} : Fe({}, t, n)) }
function yi(e, t, n, s) { return Fe({}, t == 0 ? n : s, e) }
function Xc(e, t, n) { return t == null ? gs : [t, n] }
var Xd = Xc;
function em(e, t, n) { return t == null ? gs : Ko(t, n, Si, !0) }
function eu(e, t, n, s) { return t == null ? gs : Zo(t, n, e.scales[s].log, !1) }
var tm = eu;
function tu(e, t, n, s) { return t == null ? gs : xi(t, n, e.scales[s].log, !1) }
var nm = tu;
function sm(e, t, n, s, o) {
  let l = at(Ga(e), Ga(t)), i = t - e, r = Ft(o / s * i, n);
  do {
    let a = n[r], u = s * a / i;
    if (u >= o && l + (a < 5 ? gn.get(a) : 0) <= 17) return [a, u]
  } while (++r < n.length);
  return [0, 0]
}
function mc(e) {
  let t, n;
  return e = e.replace(/(\d+)px/, (s, o) => (t = We((n = +o) * ue)) + 'px'), [e, t, n]
}
function om(e) {
  e.show && [e.font, e.labelFont].forEach(t => {
    let n = _e(t[2] * ue, 1);
    t[0] = t[0].replace(/[0-9.]+px/, n + 'px'), t[1] = n
  })
}
function Ke(e, t, n) {
  let s = {mode: ae(e.mode, 1)}, o = s.mode;
  function l(c, h, g, $) {
    let v = h.valToPct(c);
    return $ + g * (h.dir == -1 ? 1 - v : v)
  }
  function i(c, h, g, $) {
    let v = h.valToPct(c);
    return $ + g * (h.dir == -1 ? v : 1 - v)
  }
  function r(c, h, g, $) { return h.ori == 0 ? l(c, h, g, $) : i(c, h, g, $) }
  s.valToPosH = l, s.valToPosV = i;
  let a = !1;
  s.status = 0;
  let u = s.root = Et(fp);
  if (e.id != null && (u.id = e.id), _t(u, e.class), e.title) {
    let c = Et(dp, u);
    c.textContent = e.title
  }
  let f = Rt('canvas'), p = s.ctx = f.getContext('2d'), d = Et(mp, u);
  Dn('click', d, c => {c.target === k && (ve != Xn || Ae != es) && Qe.click(s, c)}, !0);
  let m = s.under = Et(gp, d);
  d.appendChild(f);
  let k = s.over = Et($p, d);
  e = $s(e);
  let x = +ae(e.pxAlign, 1), w = fc(x);
  (e.plugins || []).forEach(c => {c.opts && (e = c.opts(s, e) || e)});
  let S = e.ms || .001,
      b = s.series = o == 1 ? dc(e.series || [], oc, cc, !1) : Zd(e.series || [null], ac),
      A = s.axes = dc(e.axes || [], sc, ic, !0), y = s.scales = {}, C = s.bands = e.bands || [];
  C.forEach(c => {c.fill = oe(c.fill || null), c.dir = ae(c.dir, -1)});
  let E = o == 2 ? b[1].facets[0].scale : b[0].scale, H = {axes: Du, series: Pu},
      T = (e.drawOrder || ['axes', 'series']).map(c => H[c]);
  function j(c) {
    let h = c.distr == 3 ? g => nn(g > 0 ? g : c.clamp(s, g, c.min, c.max, c.key)) :
        c.distr == 4     ? g => ri(g, c.asinh) :
        c.distr == 100   ? g => c.fwd(g) :
                           g => g;
    return g => {
      let $ = h(g), {_min: v, _max: M} = c, P = M - v;
      return ($ - v) / P
    }
  }
  function z(c) {
    let h = y[c];
    if (h == null) {
      let g = (e.scales || to)[c] || to;
      if (g.from != null) {
        z(g.from);
        let $ = Fe({}, y[g.from], g, {key: c});
        $.valToPct = j($), y[c] = $
      } else {
        h = y[c] = Fe({}, c == E ? Vc : Id, g), h.key = c;
        let $ = h.time, v = h.range, M = mn(v);
        if ((c != E || o == 2 && !$) &&
            (M && (v[0] == null || v[1] == null) &&
                 (v = {
                   min: v[0] == null ? Va : {mode: 1, hard: v[0], soft: v[0]},
                   max: v[1] == null ? Va : {mode: 1, hard: v[1], soft: v[1]}
                 },
                  M = !1),
             !M && el(v))) {
          let P = v;
          v = (L, N, W) => N == null ? gs : Ko(N, W, P)
        }
        h.range =
            oe(v ||
               ($                ? Xd :
                    c == E       ? h.distr == 3 ? tm :
                              h.distr == 4      ? nm :
                                                  Xc :
                    h.distr == 3 ? eu :
                    h.distr == 4 ? tu :
                                   em)),
        h.auto = oe(M ? !1 : h.auto), h.clamp = oe(h.clamp || Hd), h._min = h._max = null,
        h.valToPct = j(h)
      }
    }
  }
  z('x'), z('y'), o == 1 && b.forEach(c => {z(c.scale)}), A.forEach(c => {z(c.scale)});
  for (let c in e.scales) z(c);
  let O = y[E], G = O.distr, R, X;
  O.ori == 0 ? (_t(u, hp), R = l, X = i) : (_t(u, pp), R = i, X = l);
  let J = {};
  for (let c in y) {
    let h = y[c];
    (h.min != null || h.max != null) && (J[c] = {min: h.min, max: h.max}, h.min = h.max = null)
  }
  let le = e.tzDate || (c => new Date(We(c / S))), K = e.fmtDate || Ai,
      ct = S == 1 ? hd(le) : md(le), Me = ec(le, Xa(S == 1 ? fd : dd, K)), ie = nc(le, tc($d, K)),
      de = [], ne = s.legend = Fe({}, yd, e.legend),
      U = s.cursor = Fe({}, Md, {drag: {y: o == 2}}, e.cursor), ze = ne.show, et = U.show,
      Te = ne.markers;
  ne.idxs = de, Te.width = oe(Te.width), Te.dash = oe(Te.dash), Te.stroke = oe(Te.stroke),
  Te.fill = oe(Te.fill);
  let fe, Ct, pt, Ee = [], Ht = [], Jt, vt = !1, on = {};
  if (ne.live) {
    let c = b[1] ? b[1].values : null;
    vt = c != null, Jt = vt ? c(s, 1, 0) : {_: 0};
    for (let h in Jt) on[h] = bi
  }
  if (ze)
    if (fe = Rt('table', kp, u), pt = Rt('tbody', null, fe), ne.mount(s, fe), vt) {
      Ct = Rt('thead', null, fe, pt);
      let c = Rt('tr', null, Ct);
      Rt('th', null, c);
      for (var Hn in Jt) Rt('th', Pa, c).textContent = Hn
    } else _t(fe, Sp), ne.live && _t(fe, xp);
  let In = {show: !0}, Ss = {show: !1};
  function lo(c, h) {
    if (h == 0 && (vt || !ne.live || o == 2)) return gs;
    let g = [], $ = Rt('tr', Mp, pt, pt.childNodes[h]);
    _t($, c.class), c.show || _t($, Nn);
    let v = Rt('th', null, $);
    if (Te.show) {
      let L = Et(Tp, v);
      if (h > 0) {
        let N = Te.width(s, h);
        N && (L.style.border = N + 'px ' + Te.dash(s, h) + ' ' + Te.stroke(s, h)),
            L.style.background = Te.fill(s, h)
      }
    }
    let M = Et(Pa, v);
    c.label instanceof HTMLElement ? M.appendChild(c.label) : M.textContent = c.label,
                                                              h > 0 &&
        (Te.show || (M.style.color = c.width > 0 ? Te.stroke(s, h) : Te.fill(s, h)),
         tt('click', v,
            L => {
              if (U._lock) return;
              bn(L);
              let N = b.indexOf(c);
              if ((L.ctrlKey || L.metaKey) != ne.isolate) {
                let W = b.some((V, B) => B > 0 && B != N && V.show);
                b.forEach((V, B) => {B > 0 && jt(B, W ? B == N ? In : Ss : In, !0, Ne.setSeries)})
              } else jt(N, {show: !c.show}, !0, Ne.setSeries)
            },
            !1),
         qn && tt(Na, v, L => {U._lock || (bn(L), jt(b.indexOf(c), ns, !0, Ne.setSeries))}, !1));
    for (var P in Jt) {
      let L = Rt('td', Ap, $);
      L.textContent = '--', g.push(L)
    }
    return [$, g]
  }
  let $n = new Map;
  function tt(c, h, g, $ = !0) {
    let v = $n.get(h) || {}, M = U.bind[c](s, h, g, $);
    M && (Dn(c, h, v[c] = M), $n.set(h, v))
  }
  function Wn(c, h, g) {
    let $ = $n.get(h) || {};
    for (let v in $) (c == null || v == c) && (di(v, h, $[v]), delete $[v]);
    c == null && $n.delete(h)
  }
  let Qt = 0, _n = 0, te = 0, q = 0, we = 0, He = 0, jn = we, wn = He, It = te, yn = q, dt = 0,
      bt = 0, ut = 0, Lt = 0;
  s.bbox = {};
  let rl = !1, io = !1, Vn = !1, vn = !1, ro = !1, kt = !1;
  function al(c, h, g) {
    (g || c != s.width || h != s.height) && zi(c, h), Kn(!1), Vn = !0, io = !0, Jn()
  }
  function zi(c, h) {
    s.width = Qt = te = c, s.height = _n = q = h, we = He = 0, ku(), xu();
    let g = s.bbox;
    dt = g.left = Ln(we * ue, .5), bt = g.top = Ln(He * ue, .5), ut = g.width = Ln(te * ue, .5),
    Lt = g.height = Ln(q * ue, .5)
  }
  let yu = 3;
  function vu() {
    let c = !1, h = 0;
    for (; !c;) {
      h++;
      let g = Ou(h), $ = Nu(h);
      c = h == yu || g && $, c || (zi(s.width, s.height), io = !0)
    }
  }
  function bu({width: c, height: h}) { al(c, h) }
  s.setSize = bu;
  function ku() {
    let c = !1, h = !1, g = !1, $ = !1;
    A.forEach((v, M) => {
      if (v.show && v._show) {
        let {side: P, _size: L} = v, N = P % 2, W = v.label != null ? v.labelSize : 0, V = L + W;
        V > 0 &&
            (N ? (te -= V, P == 3 ? (we += V, $ = !0) : g = !0) :
                 (q -= V, P == 0 ? (He += V, c = !0) : h = !0))
      }
    }),
        kn[0] = c, kn[1] = g, kn[2] = h, kn[3] = $, te -= ln[1] + ln[3], we += ln[3],
        q -= ln[2] + ln[0], He += ln[0]
  }
  function xu() {
    let c = we + te, h = He + q, g = we, $ = He;
    function v(M, P) {
      switch (M) {
        case 1:
          return c += P, c - P;
        case 2:
          return h += P, h - P;
        case 3:
          return g -= P, g + P;
        case 0:
          return $ -= P, $ + P
      }
    }
    A.forEach((M, P) => {
      if (M.show && M._show) {
        let L = M.side;
        M._pos = v(L, M._size), M.label != null && (M._lpos = v(L, M.labelSize))
      }
    })
  }
  if (U.dataIdx == null) {
    let c = U.hover, h = c.skip = new Set(c.skip ?? []);
    h.add(void 0);
    let g = c.prox = oe(c.prox), $ = c.bias ??= 0;
    U.dataIdx = (v, M, P, L) => {
      if (M == 0) return P;
      let N = P, W = g(v, M, P, L) ?? $e, V = W >= 0 && W < $e, B = O.ori == 0 ? te : q,
          ee = U.left, ce = t[0], re = t[M];
      if (h.has(re[P])) {
        N = null;
        let se = null, Z = null, Y;
        if ($ == 0 || $ == -1)
          for (Y = P; se == null && Y-- > 0;) h.has(re[Y]) || (se = Y);
        if ($ == 0 || $ == 1)
          for (Y = P; Z == null && Y++ < re.length;) h.has(re[Y]) || (Z = Y);
        if (se != null || Z != null)
          if (V) {
            let ke = se == null ? -1 / 0 : R(ce[se], O, B, 0),
                Pe = Z == null ? 1 / 0 : R(ce[Z], O, B, 0), Ye = ee - ke, me = Pe - ee;
            Ye <= me ? Ye <= W && (N = se) : me <= W && (N = Z)
          } else N = Z == null ? se : se == null ? Z : P - se <= Z - P ? se : Z
      } else V && je(ee - R(ce[P], O, B, 0)) > W && (N = null);
      return N
    }
  }
  let bn = c => {
    U.event = c
  };
  U.idxs = de, U._lock = !1;
  let Ze = U.points;
  Ze.show = oe(Ze.show), Ze.size = oe(Ze.size), Ze.stroke = oe(Ze.stroke), Ze.width = oe(Ze.width),
  Ze.fill = oe(Ze.fill);
  let Wt = s.focus = Fe({}, e.focus || {alpha: .3}, U.focus), qn = Wt.prox >= 0, Bn = qn && Ze.one,
      xt = [], Gn = [], Un = [];
  function Hi(c, h) {
    let g = Ze.show(s, h);
    if (g instanceof HTMLElement)
      return _t(g, bp), _t(g, c.class), Kt(g, -10, -10, te, q), k.insertBefore(g, xt[h]), g
  }
  function Ii(c, h) {
    if (o == 1 || h > 0) {
      let g = o == 1 && y[c.scale].time, $ = c.value;
      c.value = g ? Ka($) ? nc(le, tc($, K)) : $ || ie : $ || Rd, c.label = c.label || (g ? Ad : Td)
    }
    if (Bn || h > 0) {
      c.width = c.width == null ? 1 : c.width, c.paths = c.paths || Jd || Ip,
      c.fillTo = oe(c.fillTo || Wd), c.pxAlign = +ae(c.pxAlign, x), c.pxRound = fc(c.pxAlign),
      c.stroke = oe(c.stroke || null), c.fill = oe(c.fill || null),
      c._stroke = c._fill = c._paths = c._focus = null;
      let g = Fd(at(1, c.width), 1),
          $ = c.points =
              Fe({}, {
                size: g,
                width: at(1, g * .2),
                stroke: c.stroke,
                space: g * 2,
                paths: Qd,
                _stroke: null,
                _fill: null
              },
                 c.points);
      $.show = oe($.show), $.filter = oe($.filter), $.fill = oe($.fill), $.stroke = oe($.stroke),
      $.paths = oe($.paths), $.pxAlign = c.pxAlign
    }
    if (ze) {
      let g = lo(c, h);
      Ee.splice(h, 0, g[0]), Ht.splice(h, 0, g[1]), ne.values.push(null)
    }
    if (et) {
      de.splice(h, 0, null);
      let g = null;
      Bn ? h == 0 && (g = Hi(c, h)) : h > 0 && (g = Hi(c, h)), xt.splice(h, 0, g),
          Gn.splice(h, 0, 0), Un.splice(h, 0, 0)
    }
    Ue('addSeries', h)
  }
  function Su(c, h) {
    h = h ?? b.length, c = o == 1 ? yi(c, h, oc, cc) : yi(c, h, {}, ac), b.splice(h, 0, c),
    Ii(b[h], h)
  }
  s.addSeries = Su;
  function Mu(c) {
    if (b.splice(c, 1), ze) {
      ne.values.splice(c, 1), Ht.splice(c, 1);
      let h = Ee.splice(c, 1)[0];
      Wn(null, h.firstChild), h.remove()
    }
    et && (de.splice(c, 1), xt.splice(c, 1)[0].remove(), Gn.splice(c, 1), Un.splice(c, 1)),
        Ue('delSeries', c)
  }
  s.delSeries = Mu;
  let kn = [!1, !1, !1, !1];
  function Tu(c, h) {
    if (c._show = c.show, c.show) {
      let g = c.side % 2, $ = y[c.scale];
      $ == null && (c.scale = g ? b[1].scale : E, $ = y[c.scale]);
      let v = $.time;
      c.size = oe(c.size), c.space = oe(c.space), c.rotate = oe(c.rotate),
      mn(c.incrs) && c.incrs.forEach(P => {!gn.has(P) && gn.set(P, xc(P))}),
      c.incrs =
          oe(c.incrs ||
             ($.distr == 2 ? ad :
                  v        ? S == 1 ? ud : pd :
                             On)),
      c.splits =
          oe(c.splits ||
             (v && $.distr == 1 ? ct :
                  $.distr == 3  ? gi :
                  $.distr == 4  ? Cd :
                                  Pd)),
      c.stroke = oe(c.stroke), c.grid.stroke = oe(c.grid.stroke),
      c.ticks.stroke = oe(c.ticks.stroke), c.border.stroke = oe(c.border.stroke);
      let M = c.values;
      c.values = mn(M) && !mn(M[0]) ? oe(M) :
          v                         ? mn(M) ? ec(le, Xa(M, K)) :
                                      Ka(M) ? gd(le, M) :
                                              M || Me :
                                      M || Ed,
      c.filter =
          oe(c.filter ||
             ($.distr >= 3 && $.log == 10    ? Nd :
                  $.distr == 3 && $.log == 2 ? Dd :
                                               bc)),
      c.font = mc(c.font), c.labelFont = mc(c.labelFont), c._size = c.size(s, null, h, 0),
      c._space = c._rotate = c._incrs = c._found = c._splits = c._values = null,
      c._size > 0 && (kn[h] = !0, c._el = Et(_p, d))
    }
  }
  function Ms(c, h, g, $) {
    let [v, M, P, L] = g, N = h % 2, W = 0;
    return N == 0 && (L || M) && (W = h == 0 && !v || h == 2 && !P ? We(sc.size / 3) : 0),
           N == 1 && (v || P) && (W = h == 1 && !M || h == 3 && !L ? We(ic.size / 2) : 0), W
  }
  let Wi = s.padding = (e.padding || [Ms, Ms, Ms, Ms]).map(c => oe(ae(c, Ms))),
      ln = s._padding = Wi.map((c, h) => c(s, h, kn, 0)), Je, Ve = null, qe = null,
      ao = o == 1 ? b[0].idxs : null, Ot = null, Ts = !1;
  function ji(c, h) {
    if (t = c ?? [], s.data = s._data = t, o == 2) {
      Je = 0;
      for (let g = 1; g < b.length; g++) Je += t[g][0].length
    } else {
      t.length == 0 && (s.data = s._data = t = [[]]), Ot = t[0], Je = Ot.length;
      let g = t;
      if (G == 2) {
        g = t.slice();
        let $ = g[0] = Array(Je);
        for (let v = 0; v < Je; v++) $[v] = v
      }
      s._data = t = g
    }
    if (Kn(!0), Ue('setData'), G == 2 && (Vn = !0), h !== !1) {
      let g = O;
      g.auto(s, Ts) ? cl() : an(E, g.min, g.max), vn = vn || U.left >= 0, kt = !0, Jn()
    }
  }
  s.setData = ji;
  function cl() {
    Ts = !0;
    let c, h;
    o == 1 &&
        (Je > 0 ? (Ve = ao[0] = 0, qe = ao[1] = Je - 1, c = t[0][Ve], h = t[0][qe],
                   G == 2 ? (c = Ve, h = qe) :
                            c == h &&
                           (G == 3     ? [c, h] = Zo(c, c, O.log, !1) :
                                G == 4 ? [c, h] = xi(c, c, O.log, !1) :
                                O.time ? h = c + We(86400 / S) :
                                         [c, h] = Ko(c, h, Si, !0))) :
                  (Ve = ao[0] = c = null, qe = ao[1] = h = null)),
        an(E, c, h)
  }
  let co, Yn, ul, fl, hl, pl, dl, ml, gl, ft;
  function Vi(c, h, g, $, v, M) {
    c ??= La, g ??= Ti, $ ??= 'butt', v ??= La, M ??= 'round', c != co && (p.strokeStyle = co = c),
    v != Yn && (p.fillStyle = Yn = v), h != ul && (p.lineWidth = ul = h),
    M != hl && (p.lineJoin = hl = M), $ != pl && (p.lineCap = pl = $),
    g != fl && p.setLineDash(fl = g)
  }
  function qi(c, h, g, $) {
    h != Yn && (p.fillStyle = Yn = h), c != dl && (p.font = dl = c),
        g != ml && (p.textAlign = ml = g), $ != gl && (p.textBaseline = gl = $)
  }
  function $l(c, h, g, $, v = 0) {
    if ($.length > 0 && c.auto(s, Ts) && (h == null || h.min == null)) {
      let M = ae(Ve, 0), P = ae(qe, $.length - 1),
          L = g.min == null ? Np($, M, P, v, c.distr == 3) : [g.min, g.max];
      c.min = zt(c.min, g.min = L[0]), c.max = at(c.max, g.max = L[1])
    }
  }
  let Bi = {min: null, max: null};
  function Au() {
    for (let $ in y) {
      let v = y[$];
      J[$] == null && (v.min == null || J[E] != null && v.auto(s, Ts)) && (J[$] = Bi)
    }
    for (let $ in y) {
      let v = y[$];
      J[$] == null && v.from != null && J[v.from] != null && (J[$] = Bi)
    }
    J[E] != null && Kn(!0);
    let c = {};
    for (let $ in J) {
      let v = J[$];
      if (v != null) {
        let M = c[$] = $s(y[$], Vp);
        if (v.min != null) Fe(M, v);
        else if ($ != E || o == 2)
          if (Je == 0 && M.from == null) {
            let P = M.range(s, null, null, $);
            M.min = P[0], M.max = P[1]
          } else M.min = $e, M.max = -$e
      }
    }
    if (Je > 0) {
      b.forEach(($, v) => {
        if (o == 1) {
          let M = $.scale, P = J[M];
          if (P == null) return;
          let L = c[M];
          if (v == 0) {
            let N = L.range(s, L.min, L.max, M);
            L.min = N[0], L.max = N[1], Ve = Ft(L.min, t[0]), qe = Ft(L.max, t[0]),
            qe - Ve > 1 && (t[0][Ve] < L.min && Ve++, t[0][qe] > L.max && qe--), $.min = Ot[Ve],
            $.max = Ot[qe]
          } else $.show && $.auto && $l(L, P, $, t[v], $.sorted);
          $.idxs[0] = Ve, $.idxs[1] = qe
        } else if (v > 0 && $.show && $.auto) {
          let [M, P] = $.facets, L = M.scale, N = P.scale, [W, V] = t[v], B = c[L], ee = c[N];
          B != null && $l(B, J[L], M, W, M.sorted), ee != null && $l(ee, J[N], P, V, P.sorted),
              $.min = P.min, $.max = P.max
        }
      });
      for (let $ in c) {
        let v = c[$], M = J[$];
        if (v.from == null && (M == null || M.min == null)) {
          let P = v.range(s, v.min == $e ? null : v.min, v.max == -$e ? null : v.max, $);
          v.min = P[0], v.max = P[1]
        }
      }
    }
    for (let $ in c) {
      let v = c[$];
      if (v.from != null) {
        let M = c[v.from];
        if (M.min == null) v.min = v.max = null;
        else {
          let P = v.range(s, M.min, M.max, $);
          v.min = P[0], v.max = P[1]
        }
      }
    }
    let h = {}, g = !1;
    for (let $ in c) {
      let v = c[$], M = y[$];
      if (M.min != v.min || M.max != v.max) {
        M.min = v.min, M.max = v.max;
        let P = M.distr;
        M._min = P == 3 ? nn(M.min) :
            P == 4      ? ri(M.min, M.asinh) :
            P == 100    ? M.fwd(M.min) :
                          M.min,
        M._max = P == 3 ? nn(M.max) :
            P == 4      ? ri(M.max, M.asinh) :
            P == 100    ? M.fwd(M.max) :
                          M.max,
        h[$] = g = !0
      }
    }
    if (g) {
      b.forEach(
          ($, v) => {o == 2 ? v > 0 && h.y && ($._paths = null) : h[$.scale] && ($._paths = null)});
      for (let $ in h) Vn = !0, Ue('setScale', $);
      et && U.left >= 0 && (vn = kt = !0)
    }
    for (let $ in J) J[$] = null
  }
  function Eu(c) {
    let h = mi(Ve - 1, 0, Je - 1), g = mi(qe + 1, 0, Je - 1);
    for (; c[h] == null && h > 0;) h--;
    for (; c[g] == null && g < Je - 1;) g++;
    return [h, g]
  }
  function Pu() {
    if (Je > 0) {
      let c = b.some(h => h._focus) && ft != Wt.alpha;
      c && (p.globalAlpha = ft = Wt.alpha), b.forEach((h, g) => {
        if (g > 0 && h.show && (Gi(g, !1), Gi(g, !0), h._paths == null)) {
          let $ = ft;
          ft != h.alpha && (p.globalAlpha = ft = h.alpha);
          let v = o == 2 ? [0, t[g][0].length - 1] : Eu(t[g]);
          h._paths = h.paths(s, g, v[0], v[1]), ft != $ && (p.globalAlpha = ft = $)
        }
      }),
          b.forEach((h, g) => {
            if (g > 0 && h.show) {
              let $ = ft;
              ft != h.alpha && (p.globalAlpha = ft = h.alpha), h._paths != null && Ui(g, !1);
              {
                let v = h._paths != null ? h._paths.gaps : null, M = h.points.show(s, g, Ve, qe, v),
                    P = h.points.filter(s, g, M, v);
                (M || P) && (h.points._paths = h.points.paths(s, g, Ve, qe, P), Ui(g, !0))
              }
              ft != $ && (p.globalAlpha = ft = $), Ue('drawSeries', g)
            }
          }),
          c && (p.globalAlpha = ft = 1)
    }
  }
  function Gi(c, h) {
    let g = h ? b[c].points : b[c];
    g._stroke = g.stroke(s, c), g._fill = g.fill(s, c)
  }
  function Ui(c, h) {
    let g = h ? b[c].points : b[c], {
      stroke: $,
      fill: v,
      clip: M,
      flags: P,
      _stroke: L = g._stroke,
      _fill: N = g._fill,
      _width: W = g.width
    } = g._paths;
    W = _e(W * ue, 3);
    let V = null, B = W % 2 / 2;
    h && N == null && (N = W > 0 ? '#fff' : L);
    let ee = g.pxAlign == 1 && B > 0;
    if (ee && p.translate(B, B), !h) {
      let ce = dt - W / 2, re = bt - W / 2, se = ut + W, Z = Lt + W;
      V = new Path2D, V.rect(ce, re, se, Z)
    }
    h ? _l(L, W, g.dash, g.cap, N, $, v, P, M) : Cu(c, L, W, g.dash, g.cap, N, $, v, P, V, M),
        ee && p.translate(-B, -B)
  }
  function Cu(c, h, g, $, v, M, P, L, N, W, V) {
    let B = !1;
    N != 0 && C.forEach((ee, ce) => {
      if (ee.series[0] == c) {
        let re = b[ee.series[1]], se = t[ee.series[1]], Z = (re._paths || to).band;
        mn(Z) && (Z = ee.dir == 1 ? Z[0] : Z[1]);
        let Y, ke = null;
        re.show && Z && Rp(se, Ve, qe) ? (ke = ee.fill(s, ce) || M, Y = re._paths.clip) :
                                         Z = null,
                                         _l(h, g, $, v, ke, P, L, N, W, V, Y, Z), B = !0
      }
    }),
        B || _l(h, g, $, v, M, P, L, N, W, V)
  }
  let Yi = _s | _i;
  function _l(c, h, g, $, v, M, P, L, N, W, V, B) {
    Vi(c, h, g, $, v), (N || W || B) && (p.save(), N && p.clip(N), W && p.clip(W)),
        B ? (L & Yi) == Yi ? (p.clip(B), V && p.clip(V), fo(v, P), uo(c, M, h)) :
            L&_i           ? (fo(v, P), p.clip(B), uo(c, M, h)) :
                             L&_s &&
                (p.save(), p.clip(B), V && p.clip(V), fo(v, P), p.restore(), uo(c, M, h)) :
            (fo(v, P), uo(c, M, h)),
        (N || W || B) && p.restore()
  }
  function uo(c, h, g) {
    g > 0 &&
        (h instanceof Map ? h.forEach(($, v) => {p.strokeStyle = co = v, p.stroke($)}) :
                            h != null && c && p.stroke(h))
  }
  function fo(c, h) {
    h instanceof Map ? h.forEach((g, $) => {p.fillStyle = Yn = $, p.fill(g)}) :
                       h != null && c && p.fill(h)
  }
  function Lu(c, h, g, $) {
    let v = A[c], M;
    if ($ <= 0) M = [0, 0];
    else {
      let P = v._space = v.space(s, c, h, g, $), L = v._incrs = v.incrs(s, c, h, g, $, P);
      M = sm(h, g, L, $, P)
    }
    return v._found = M
  }
  function wl(c, h, g, $, v, M, P, L, N, W) {
    let V = P % 2 / 2;
    x == 1 && p.translate(V, V), Vi(L, P, N, W, L), p.beginPath();
    let B, ee, ce, re, se = v + ($ == 0 || $ == 3 ? -M : M);
    g == 0 ? (ee = v, re = se) : (B = v, ce = se);
    for (let Z = 0; Z < c.length; Z++)
      h[Z] != null && (g == 0 ? B = ce = c[Z] : ee = re = c[Z], p.moveTo(B, ee), p.lineTo(ce, re));
    p.stroke(), x == 1 && p.translate(-V, -V)
  }
  function Ou(c) {
    let h = !0;
    return A.forEach((g, $) => {
      if (!g.show) return;
      let v = y[g.scale];
      if (v.min == null) {
        g._show && (h = !1, g._show = !1, Kn(!1));
        return
      } else g._show || (h = !1, g._show = !0, Kn(!1));
      let M = g.side, P = M % 2, {min: L, max: N} = v, [W, V] = Lu($, L, N, P == 0 ? te : q);
      if (V == 0) return;
      let B = v.distr == 2, ee = g._splits = g.splits(s, $, L, N, W, V, B),
          ce = v.distr == 2 ? ee.map(Y => Ot[Y]) : ee,
          re = v.distr == 2 ? Ot[ee[1]] - Ot[ee[0]] : W,
          se = g._values = g.values(s, g.filter(s, ce, $, V, re), $, V, re);
      g._rotate = M == 2 ? g.rotate(s, se, $, V) : 0;
      let Z = g._size;
      g._size = Pt(g.size(s, se, $, c)), Z != null && g._size != Z && (h = !1)
    }),
           h
  }
  function Nu(c) {
    let h = !0;
    return Wi.forEach((g, $) => {
      let v = g(s, $, kn, c);
      v != ln[$] && (h = !1), ln[$] = v
    }),
           h
  }
  function Du() {
    for (let c = 0; c < A.length; c++) {
      let h = A[c];
      if (!h.show || !h._show) continue;
      let g = h.side, $ = g % 2, v, M, P = h.stroke(s, c), L = g == 0 || g == 3 ? -1 : 1,
          [N, W] = h._found;
      if (h.label != null) {
        let st = h.labelGap * L, $t = We((h._lpos + st) * ue);
        qi(h.labelFont[0], P, 'center', g == 2 ? 'top' : Ca), p.save(),
            $ == 1 ?
            (v = M = 0, p.translate($t, We(bt + Lt / 2)), p.rotate((g == 3 ? -Uo : Uo) / 2)) :
            (v = We(dt + ut / 2), M = $t);
        let Mn = yc(h.label) ? h.label(s, c, N, W) : h.label;
        p.fillText(Mn, v, M), p.restore()
      }
      if (W == 0) continue;
      let V = y[h.scale], B = $ == 0 ? ut : Lt, ee = $ == 0 ? dt : bt, ce = h._splits,
          re = V.distr == 2 ? ce.map(st => Ot[st]) : ce,
          se = V.distr == 2 ? Ot[ce[1]] - Ot[ce[0]] : N, Z = h.ticks, Y = h.border,
          ke = Z.show ? Z.size : 0, Pe = We(ke * ue),
          Ye = We((h.alignTo == 2 ? h._size - ke - h.gap : h.gap) * ue), me = h._rotate * -Uo / 180,
          Ce = w(h._pos * ue), mt = (Pe + Ye) * L, nt = Ce + mt;
      M = $ == 0 ? nt : 0, v = $ == 1 ? nt : 0;
      let St = h.font[0],
          Nt = h.align == 1 ? hs :
          h.align == 2      ? oi :
          me > 0            ? hs :
          me < 0            ? oi :
          $ == 0            ? 'center' :
          g == 3            ? oi :
                              hs,
          qt = me || $ == 1 ? 'middle' :
          g == 2            ? 'top' :
                              Ca;
      qi(St, P, Nt, qt);
      let gt = h.font[1] * h.lineGap, Mt = ce.map(st => w(r(st, V, B, ee))), Dt = h._values;
      for (let st = 0; st < Dt.length; st++) {
        let $t = Dt[st];
        if ($t != null) {
          $ == 0 ? v = Mt[st] : M = Mt[st], $t = '' + $t;
          let Mn = $t.indexOf(`
`) == -1 ?
              [$t] :
              $t.split(/\n/gm);
          for (let ot = 0; ot < Mn.length; ot++) {
            let pr = Mn[ot];
            me ? (p.save(), p.translate(v, M + ot * gt), p.rotate(me), p.fillText(pr, 0, 0),
                  p.restore()) :
                 p.fillText(pr, v, M + ot * gt)
          }
        }
      }
      Z.show &&
          wl(Mt, Z.filter(s, re, c, W, se), $, g, Ce, Pe, _e(Z.width * ue, 3), Z.stroke(s, c),
             Z.dash, Z.cap);
      let Bt = h.grid;
      Bt.show &&
          wl(Mt, Bt.filter(s, re, c, W, se), $, $ == 0 ? 2 : 1, $ == 0 ? bt : dt, $ == 0 ? Lt : ut,
             _e(Bt.width * ue, 3), Bt.stroke(s, c), Bt.dash, Bt.cap),
          Y.show &&
          wl([Ce], [1], $ == 0 ? 1 : 0, $ == 0 ? 1 : 2, $ == 1 ? bt : dt, $ == 1 ? Lt : ut,
             _e(Y.width * ue, 3), Y.stroke(s, c), Y.dash, Y.cap)
    }
    Ue('drawAxes')
  }
  function Kn(c) {
    b.forEach(
        (h, g) => {
            g > 0 &&
            (h._paths = null,
             c &&
                 (o == 1 ? (h.min = null, h.max = null) :
                           h.facets.forEach($ => {$.min = null, $.max = null})))})
  }
  let ho = !1, yl = !1, As = [];
  function Ru() {
    yl = !1;
    for (let c = 0; c < As.length; c++) Ue(...As[c]);
    As.length = 0
  }
  function Jn() { ho || (Jp(Ki), ho = !0) }
  function Fu(c, h = !1) { ho = !0, yl = h, c(s), Ki(), h && As.length > 0 && queueMicrotask(Ru) }
  s.batch = Fu;
  function Ki() {
    if (rl && (Au(), rl = !1), Vn && (vu(), Vn = !1), io) {
      if (Se(m, hs, we), Se(m, 'top', He), Se(m, Qs, te), Se(m, Zs, q), Se(k, hs, we),
          Se(k, 'top', He), Se(k, Qs, te), Se(k, Zs, q), Se(d, Qs, Qt), Se(d, Zs, _n),
          f.width = We(Qt * ue), f.height = We(_n * ue),
          A.forEach(({_el: c, _show: h, _size: g, _pos: $, side: v}) => {
            if (c != null)
              if (h) {
                let M = v === 3 || v === 0 ? g : 0, P = v % 2 == 1;
                Se(c, P ? 'left' : 'top', $ - M), Se(c, P ? 'width' : 'height', g),
                    Se(c, P ? 'top' : 'left', P ? He : we),
                    Se(c, P ? 'height' : 'width', P ? q : te), pi(c, Nn)
              } else _t(c, Nn)
          }),
          co = Yn = ul = hl = pl = dl = ml = gl = fl = null, ft = 1, Cs(!0),
          we != jn || He != wn || te != It || q != yn) {
        Kn(!1);
        let c = te / It, h = q / yn;
        if (et && !vn && U.left >= 0) {
          U.left *= c, U.top *= h, Qn && Kt(Qn, We(U.left), 0, te, q),
              Zn && Kt(Zn, 0, We(U.top), te, q);
          for (let g = 0; g < xt.length; g++) {
            let $ = xt[g];
            $ != null && (Gn[g] *= c, Un[g] *= h, Kt($, Pt(Gn[g]), Pt(Un[g]), te, q))
          }
        }
        if (be.show && !ro && be.left >= 0 && be.width > 0) {
          be.left *= c, be.width *= c, be.top *= h, be.height *= h;
          for (let g in Ml) Se(ts, g, be[g])
        }
        jn = we, wn = He, It = te, yn = q
      }
      Ue('setSize'), io = !1
    }
    Qt > 0 && _n > 0 &&
        (p.clearRect(0, 0, f.width, f.height), Ue('drawClear'), T.forEach(c => c()), Ue('draw')),
        be.show && ro && (po(be), ro = !1), et && vn && (Sn(null, !0, !1), vn = !1),
        ne.show && ne.live && kt && (xl(), kt = !1), a || (a = !0, s.status = 1, Ue('ready')),
        Ts = !1, ho = !1
  }
  s.redraw = (c, h) => {
    Vn = h || !1, c !== !1 ? an(E, O.min, O.max) : Jn()
  };
  function vl(c, h) {
    let g = y[c];
    if (g.from == null) {
      if (Je == 0) {
        let $ = g.range(s, h.min, h.max, c);
        h.min = $[0], h.max = $[1]
      }
      if (h.min > h.max) {
        let $ = h.min;
        h.min = h.max, h.max = $
      }
      if (Je > 1 && h.min != null && h.max != null && h.max - h.min < 1e-16) return;
      c == E && g.distr == 2 && Je > 0 &&
          (h.min = Ft(h.min, t[0]), h.max = Ft(h.max, t[0]), h.min == h.max && h.max++),
          J[c] = h, rl = !0, Jn()
    }
  }
  s.setScale = vl;
  let bl, kl, Qn, Zn, Ji, Qi, Xn, es, Zi, Xi, ve, Ae, rn = !1, Qe = U.drag, Be = Qe.x, Ge = Qe.y;
  et &&
      (U.x && (bl = Et(yp, k)), U.y && (kl = Et(vp, k)),
       O.ori == 0 ? (Qn = bl, Zn = kl) : (Qn = kl, Zn = bl), ve = U.left, Ae = U.top);
  let be = s.select = Fe({show: !0, over: !0, left: 0, width: 0, top: 0, height: 0}, e.select),
      ts = be.show ? Et(wp, be.over ? k : m) : null;
  function po(c, h) {
    if (be.show) {
      for (let g in c) be[g] = c[g], g in Ml && Se(ts, g, c[g]);
      h !== !1 && Ue('setSelect')
    }
  }
  s.setSelect = po;
  function zu(c) {
    if (b[c].show) ze && pi(Ee[c], Nn);
    else if (ze && _t(Ee[c], Nn), et) {
      let g = Bn ? xt[0] : xt[c];
      g != null && Kt(g, -10, -10, te, q)
    }
  }
  function an(c, h, g) { vl(c, {min: h, max: g}) }
  function jt(c, h, g, $) {
    h.focus != null && Vu(c),
        h.show != null &&
        b.forEach(
            (v, M) => {
                M > 0 && (c == M || c == null) &&
                (v.show = h.show, zu(M),
                 o == 2 ? (an(v.facets[0].scale, null, null), an(v.facets[1].scale, null, null)) :
                          an(v.scale, null, null),
                 Jn())}),
        g !== !1 && Ue('setSeries', c, h), $ && Ls('setSeries', s, c, h)
  }
  s.setSeries = jt;
  function Hu(c, h) { Fe(C[c], h) }
  function Iu(c, h) {
    c.fill = oe(c.fill || null), c.dir = ae(c.dir, -1), h = h ?? C.length, C.splice(h, 0, c)
  }
  function Wu(c) { c == null ? C.length = 0 : C.splice(c, 1) }
  s.addBand = Iu, s.setBand = Hu, s.delBand = Wu;
  function ju(c, h) {
    b[c].alpha = h, et && xt[c] != null && (xt[c].style.opacity = h),
    ze && Ee[c] && (Ee[c].style.opacity = h)
  }
  let Zt, cn, xn, ns = {focus: !0};
  function Vu(c) {
    if (c != xn) {
      let h = c == null, g = Wt.alpha != 1;
      b.forEach(($, v) => {
        if (o == 1 || v > 0) {
          let M = h || v == 0 || v == c;
          $._focus = h ? null : M, g && ju(v, M ? 1 : Wt.alpha)
        }
      }),
          xn = c, g && Jn()
    }
  }
  ze && qn && tt(Da, fe, c => {U._lock || (bn(c), xn != null && jt(null, ns, !0, Ne.setSeries))});
  function Vt(c, h, g) {
    let $ = y[h];
    g && (c = c / ue - ($.ori == 1 ? He : we));
    let v = te;
    $.ori == 1 && (v = q, c = v - c), $.dir == -1 && (c = v - c);
    let M = $._min, P = $._max, L = c / v, N = M + (P - M) * L, W = $.distr;
    return W == 3 ? ms(10, N) : W == 4 ? zp(N, $.asinh) : W == 100 ? $.bwd(N) : N
  }
  function qu(c, h) {
    let g = Vt(c, E, h);
    return Ft(g, t[0], Ve, qe)
  }
  s.valToIdx = c => Ft(c, t[0]), s.posToIdx = qu, s.posToVal = Vt,
  s.valToPos = (c, h, g) =>
      y[h].ori == 0 ? l(c, y[h], g ? ut : te, g ? dt : 0) : i(c, y[h], g ? Lt : q, g ? bt : 0),
  s.setCursor = (c, h, g) => {
    ve = c.left, Ae = c.top, Sn(null, h, g)
  };
  function er(c, h) { Se(ts, hs, be.left = c), Se(ts, Qs, be.width = h) }
  function tr(c, h) { Se(ts, 'top', be.top = c), Se(ts, Zs, be.height = h) }
  let Es = O.ori == 0 ? er : tr, Ps = O.ori == 1 ? er : tr;
  function Bu() {
    if (ze && ne.live)
      for (let c = o == 2 ? 1 : 0; c < b.length; c++) {
        if (c == 0 && vt) continue;
        let h = ne.values[c], g = 0;
        for (let $ in h) Ht[c][g++].firstChild.nodeValue = h[$]
      }
  }
  function xl(c, h) {
    if (c != null &&
            (c.idxs ? c.idxs.forEach((g, $) => {de[$] = g}) : jp(c.idx) || de.fill(c.idx),
             ne.idx = de[0]),
        ze && ne.live) {
      for (let g = 0; g < b.length; g++) (g > 0 || o == 1 && !vt) && Gu(g, de[g]);
      Bu()
    }
    kt = !1, h !== !1 && Ue('setLegend')
  }
  s.setLegend = xl;
  function Gu(c, h) {
    let g = b[c], $ = c == 0 && G == 2 ? Ot : t[c], v;
    vt ? v = g.values(s, c, h) ?? on :
         (v = g.value(s, h == null ? null : $[h], c, h), v = v == null ? on : {_: v}),
         ne.values[c] = v
  }
  function Sn(c, h, g) {
    Zi = ve, Xi = Ae, [ve, Ae] = U.move(s, ve, Ae), U.left = ve, U.top = Ae,
    et && (Qn && Kt(Qn, We(ve), 0, te, q), Zn && Kt(Zn, 0, We(Ae), te, q));
    let $, v = Ve > qe;
    Zt = $e, cn = null;
    let M = O.ori == 0 ? te : q, P = O.ori == 1 ? te : q;
    if (ve < 0 || Je == 0 || v) {
      $ = U.idx = null;
      for (let L = 0; L < b.length; L++) {
        let N = xt[L];
        N != null && Kt(N, -10, -10, te, q)
      }
      qn && jt(null, ns, !0, c == null && Ne.setSeries), ne.live && (de.fill($), kt = !0)
    } else {
      let L, N, W;
      o == 1 &&
          (L = O.ori == 0 ? ve : Ae, N = Vt(L, E), $ = U.idx = Ft(N, t[0], Ve, qe),
           W = R(t[0][$], O, M, 0));
      let V = -10, B = -10, ee = 0, ce = 0, re = !0, se = '', Z = '';
      for (let Y = o == 2 ? 1 : 0; Y < b.length; Y++) {
        let ke = b[Y], Pe = de[Y],
            Ye = Pe == null ? null :
            o == 1          ? t[Y][Pe] :
                              t[Y][1][Pe],
            me = U.dataIdx(s, Y, $, N),
            Ce = me == null ? null :
            o == 1          ? t[Y][me] :
                              t[Y][1][me];
        if (kt = kt || Ce != Ye || me != Pe, de[Y] = me, Y > 0 && ke.show) {
          let mt = me == null ? -10 :
              me == $         ? W :
                                R(o == 1 ? t[0][me] : t[Y][0][me], O, M, 0),
              nt = Ce == null ? -10 : X(Ce, o == 1 ? y[ke.scale] : y[ke.facets[1].scale], P, 0);
          if (qn && Ce != null) {
            let St = O.ori == 1 ? ve : Ae, Nt = je(Wt.dist(s, Y, me, nt, St));
            if (Nt < Zt) {
              let qt = Wt.bias;
              if (qt != 0) {
                let gt = Vt(St, ke.scale), Mt = Ce >= 0 ? 1 : -1, Dt = gt >= 0 ? 1 : -1;
                Dt == Mt &&
                    (Dt == 1     ? qt == 1 ? Ce >= gt : Ce <= gt :
                         qt == 1 ? Ce <= gt :
                                   Ce >= gt) &&
                    (Zt = Nt, cn = Y)
              } else Zt = Nt, cn = Y
            }
          }
          if (kt || Bn) {
            let St, Nt;
            O.ori == 0 ? (St = mt, Nt = nt) : (St = nt, Nt = mt);
            let qt, gt, Mt, Dt, Bt, st, $t = !0, Mn = Ze.bbox;
            if (Mn != null) {
              $t = !1;
              let ot = Mn(s, Y);
              Mt = ot.left, Dt = ot.top, qt = ot.width, gt = ot.height
            } else Mt = St, Dt = Nt, qt = gt = Ze.size(s, Y);
            if (st = Ze.fill(s, Y), Bt = Ze.stroke(s, Y), Bn)
              Y == cn && Zt <= Wt.prox &&
                  (V = Mt, B = Dt, ee = qt, ce = gt, re = $t, se = st, Z = Bt);
            else {
              let ot = xt[Y];
              ot != null &&
                  (Gn[Y] = Mt, Un[Y] = Dt, ja(ot, qt, gt, $t), Ia(ot, st, Bt),
                   Kt(ot, Pt(Mt), Pt(Dt), te, q))
            }
          }
        }
      }
      if (Bn) {
        let Y = Wt.prox, ke = xn == null ? Zt <= Y : Zt > Y || cn != xn;
        if (kt || ke) {
          let Pe = xt[0];
          Pe != null &&
              (Gn[0] = V, Un[0] = B, ja(Pe, ee, ce, re), Ia(Pe, se, Z), Kt(Pe, Pt(V), Pt(B), te, q))
        }
      }
    }
    if (be.show && rn)
      if (c != null) {
        let [L, N] = Ne.scales, [W, V] = Ne.match, [B, ee] = c.cursor.sync.scales,
                ce = c.cursor.drag;
        if (Be = ce._x, Ge = ce._y, Be || Ge) {
          let {left: re, top: se, width: Z, height: Y} = c.select, ke = c.scales[B].ori,
                                                    Pe = c.posToVal, Ye, me, Ce, mt, nt,
                                                    St = L != null && W(L, B),
                                                    Nt = N != null && V(N, ee);
          St && Be ? (ke == 0 ? (Ye = re, me = Z) : (Ye = se, me = Y), Ce = y[L],
                      mt = R(Pe(Ye, B), Ce, M, 0), nt = R(Pe(Ye + me, B), Ce, M, 0),
                      Es(zt(mt, nt), je(nt - mt))) :
                     Es(0, M),
              Nt && Ge ? (ke == 1 ? (Ye = re, me = Z) : (Ye = se, me = Y), Ce = y[N],
                          mt = X(Pe(Ye, ee), Ce, P, 0), nt = X(Pe(Ye + me, ee), Ce, P, 0),
                          Ps(zt(mt, nt), je(nt - mt))) :
                         Ps(0, P)
        } else Tl()
      } else {
        let L = je(Zi - Ji), N = je(Xi - Qi);
        if (O.ori == 1) {
          let ee = L;
          L = N, N = ee
        }
        Be = Qe.x && L >= Qe.dist, Ge = Qe.y && N >= Qe.dist;
        let W = Qe.uni;
        W != null ?
            Be && Ge && (Be = L >= W, Ge = N >= W, !Be && !Ge && (N > L ? Ge = !0 : Be = !0)) :
            Qe.x && Qe.y && (Be || Ge) && (Be = Ge = !0);
        let V, B;
        Be &&
            (O.ori == 0 ? (V = Xn, B = ve) : (V = es, B = Ae), Es(zt(V, B), je(B - V)),
             Ge || Ps(0, P)),
            Ge &&
            (O.ori == 1 ? (V = Xn, B = ve) : (V = es, B = Ae), Ps(zt(V, B), je(B - V)),
             Be || Es(0, M)),
            !Be && !Ge && (Es(0, 0), Ps(0, 0))
      }
    if (Qe._x = Be, Qe._y = Ge, c == null) {
      if (g) {
        if (hr != null) {
          let [L, N] = Ne.scales;
          Ne.values[0] = L != null ? Vt(O.ori == 0 ? ve : Ae, L) : null,
          Ne.values[1] = N != null ? Vt(O.ori == 1 ? ve : Ae, N) : null
        }
        Ls(li, s, ve, Ae, te, q, $)
      }
      if (qn) {
        let L = g && Ne.setSeries, N = Wt.prox;
        xn == null ? Zt <= N && jt(cn, ns, !0, L) :
            Zt > N ? jt(null, ns, !0, L) :
                     cn != xn && jt(cn, ns, !0, L)
      }
    }
    kt && (ne.idx = $, xl()), h !== !1 && Ue('setCursor')
  }
  let un = null;
  Object.defineProperty(s, 'rect', {get() { return un == null && Cs(!1), un }});
  function Cs(c = !1) { c ? un = null : (un = k.getBoundingClientRect(), Ue('syncRect', un)) }
  function nr(c, h, g, $, v, M, P) {
    U._lock || rn && c != null && c.movementX == 0 && c.movementY == 0 ||
        (Sl(c, h, g, $, v, M, P, !1, c != null), c != null ? Sn(null, !0, !0) : Sn(h, !0, !1))
  }
  function Sl(c, h, g, $, v, M, P, L, N) {
    if (un == null && Cs(!1), bn(c), c != null) g = c.clientX - un.left, $ = c.clientY - un.top;
    else {
      if (g < 0 || $ < 0) {
        ve = -10, Ae = -10;
        return
      }
      let [W, V] = Ne.scales, B = h.cursor.sync, [ee, ce] = B.values, [re, se] = B.scales,
              [Z, Y] = Ne.match, ke = h.axes[0].side % 2 == 1, Pe = O.ori == 0 ? te : q,
              Ye = O.ori == 1 ? te : q, me = ke ? M : v, Ce = ke ? v : M, mt = ke ? $ : g,
              nt = ke ? g : $;
      if (re != null ? g = Z(W, re) ? r(ee, y[W], Pe, 0) : -10 : g = Pe * (mt / me),
          se != null ? $ = Y(V, se) ? r(ce, y[V], Ye, 0) : -10 : $ = Ye * (nt / Ce), O.ori == 1) {
        let St = g;
        g = $, $ = St
      }
    }
    N && (h == null || h.cursor.event.type == li) &&
        ((g <= 1 || g >= te - 1) && (g = Ln(g, te)), ($ <= 1 || $ >= q - 1) && ($ = Ln($, q))),
        L ? (Ji = g, Qi = $, [Xn, es] = U.move(s, g, $)) : (ve = g, Ae = $)
  }
  let Ml = {width: 0, height: 0, left: 0, top: 0};
  function Tl() { po(Ml, !1) }
  let sr, or, lr, ir;
  function rr(c, h, g, $, v, M, P) {
    rn = !0, Be = Ge = Qe._x = Qe._y = !1, Sl(c, h, g, $, v, M, P, !0, !1),
    c != null && (tt(ii, fi, ar, !1), Ls(Oa, s, Xn, es, te, q, null));
    let {left: L, top: N, width: W, height: V} = be;
    sr = L, or = N, lr = W, ir = V
  }
  function ar(c, h, g, $, v, M, P) {
    rn = Qe._x = Qe._y = !1, Sl(c, h, g, $, v, M, P, !1, !0);
    let {left: L, top: N, width: W, height: V} = be, B = W > 0 || V > 0,
                                            ee = sr != L || or != N || lr != W || ir != V;
    if (B && ee && po(be), Qe.setScale && B && ee) {
      let ce = L, re = W, se = N, Z = V;
      if (O.ori == 1 && (ce = N, re = V, se = L, Z = W), Be && an(E, Vt(ce, E), Vt(ce + re, E)), Ge)
        for (let Y in y) {
          let ke = y[Y];
          Y != E && ke.from == null && ke.min != $e && an(Y, Vt(se + Z, Y), Vt(se, Y))
        }
      Tl()
    } else U.lock && (U._lock = !U._lock, Sn(h, !0, c != null));
    c != null && (Wn(ii, fi), Ls(ii, s, ve, Ae, te, q, null))
  }
  function Uu(c, h, g, $, v, M, P) {
    if (U._lock) return;
    bn(c);
    let L = rn;
    if (rn) {
      let N = !0, W = !0, V = 10, B, ee;
      O.ori == 0 ? (B = Be, ee = Ge) : (B = Ge, ee = Be),
          B && ee && (N = ve <= V || ve >= te - V, W = Ae <= V || Ae >= q - V),
          B && N && (ve = ve < Xn ? 0 : te), ee && W && (Ae = Ae < es ? 0 : q), Sn(null, !0, !0),
          rn = !1
    }
    ve = -10, Ae = -10, de.fill(null), Sn(null, !0, !0), L && (rn = L)
  }
  function cr(c, h, g, $, v, M, P) {
    U._lock || (bn(c), cl(), Tl(), c != null && Ls(Ra, s, ve, Ae, te, q, null))
  }
  function ur() { A.forEach(om), al(s.width, s.height, !0) }
  Dn(Yo, ds, ur);
  let ss = {};
  ss.mousedown = rr, ss.mousemove = nr, ss.mouseup = ar, ss.dblclick = cr,
  ss.setSeries =
      (c, h, g, $) => {
        let v = Ne.match[2];
        g = v(s, h, g), g != -1 && jt(g, $, !0, !1)
      },
  et &&
      (tt(Oa, k, rr), tt(li, k, nr), tt(Na, k, c => {bn(c), Cs(!1)}), tt(Da, k, Uu), tt(Ra, k, cr),
       wi.add(s), s.syncRect = Cs);
  let mo = s.hooks = e.hooks || {};
  function Ue(c, h, g) {
    yl ? As.push([c, h, g]) : c in mo && mo[c].forEach($ => {$.call(null, s, h, g)})
  }
  (e.plugins || []).forEach(c => {
    for (let h in c.hooks) mo[h] = (mo[h] || []).concat(c.hooks[h])
  });
  let fr = (c, h, g) => g,
      Ne =
          Fe({
            key: null,
            setSeries: !1,
            filters: {pub: Ua, sub: Ua},
            scales: [E, b[1] ? b[1].scale : null],
            match: [Ya, Ya, fr],
            values: [null, null]
          },
             U.sync);
  Ne.match.length == 2 && Ne.match.push(fr), U.sync = Ne;
  let hr = Ne.key, Al = qc(hr);
  function Ls(c, h, g, $, v, M, P) {
    Ne.filters.pub(c, h, g, $, v, M, P) && Al.pub(c, h, g, $, v, M, P)
  }
  Al.sub(s);
  function Yu(c, h, g, $, v, M, P) {
    Ne.filters.sub(c, h, g, $, v, M, P) && ss[c](null, h, g, $, v, M, P)
  }
  s.pub = Yu;
  function Ku() {
    Al.unsub(s), wi.delete(s), $n.clear(), di(Yo, ds, ur), u.remove(), fe?.remove(), Ue('destroy')
  }
  s.destroy = Ku;
  function El() {
    Ue('init', e, t), ji(t || e.data, !1), J[E] ? vl(E, J[E]) : cl(),
        ro = be.show && (be.width > 0 || be.height > 0), vn = kt = !0, al(e.width, e.height)
  }
  return b.forEach(Ii), A.forEach(Tu),
         n ? n instanceof HTMLElement ? (n.appendChild(u), El()) : n(s, El) : El(), s
}
Ke.assign = Fe;
Ke.fmtNum = Mi;
Ke.rangeNum = Ko;
Ke.rangeLog = Zo;
Ke.rangeAsinh = xi;
Ke.orient = Fn;
Ke.pxRatio = ue;
Ke.join = Kp;
Ke.fmtDate = Ai, Ke.tzDate = id;
Ke.sync = qc;
{
  Ke.addGap = jd, Ke.clipGaps = tl;
  let e = Ke.paths = {points: Jc};
  e.linear = Zc, e.stepped = Bd, e.bars = Gd, e.spline = Yd
}
var ll = [[], [6, 4], [2, 3], [10, 3, 2, 3]];
function nu() {
  let e = Ut();
  return [e.accent, e.good, e.expired, e.dropped, e.again, e.refused, e.muted, e.text]
}
function bs({title: e, unit: t, labels: n, data: s, height: o = 180, step: l = !1}) {
  let i = pe(), r = pe(null), a = `${n.join(`
`)}|${l}|${Ut().text}`;
  Tt(() => {
    r.current?.destroy(),
        r.current = new Ke(
            rm({unit: t, labels: n, height: o, step: l, width: i.current.clientWidth || 300}), s,
            i.current);
    let f = new ResizeObserver(() => {
      let p = i.current?.clientWidth;
      p && r.current?.setSize({width: p, height: o})
    });
    return f.observe(i.current), () => {
      f.disconnect(), r.current?.destroy(), r.current = null
    }
  }, [a]), xe(() => {r.current?.setData(s)});
  let u = n.map((f, p) => {
    let d = s[p + 1] ?? [];
    return `${f} ${I(d[d.length - 1])}`
  });
  return _`<figure class="chart"><figcaption>${D(e)}${
      t ? _`<span class="note"> ${D(t)}</span>` : ''}</figcaption>
    <div ref=${i} class="chart-box" style=${{
    height: `${o}px`
  }
  } role="img"
      aria-label=${`${D(e)}: ${u.map(D).join(', ')}`}></div>
    <ul class="chart-legend">${n.map((f, p) => _`<li key=${p}>
      <${im} index=${p} /><span>${D(f) || 'all'}</span><b>${I(lm(s[p + 1]))}</b></li>`)}</ul>
  </figure>`
}
function lm(e) {
  for (let t = (e?.length ?? 0) - 1; t >= 0; t -= 1)
    if (e[t] !== null && e[t] !== void 0) return e[t]
}
function im({index: e}) {
  let t = nu();
  return _`<svg class="swatch" viewBox="0 0 24 8" aria-hidden="true"><line x1="0" y1="4" x2="24" y2="4"
    stroke=${t[e % t.length]} stroke-width="2.5"
    stroke-dasharray=${ll[Math.floor(e / 2) % ll.length].join(' ')} /></svg>`
}
function rm({unit: e, labels: t, height: n, step: s, width: o}) {
  let l = Ut(), i = nu(), r = {
    stroke: l.muted,
    grid: {stroke: l.line, width: 1},
    ticks: {show: !1},
    font: '11px system-ui, "Liberation Sans", sans-serif'
  };
  return {
    width: o, height: n, legend: {show: !1}, cursor: {y: !1, points: {size: 5}},
        scales:
            {x: {time: !1}, y: {range: (a, u, f) => [Math.min(0, u ?? 0), (f ?? 1) * 1.08 || 1]}},
        axes:
            [
              {
                ...r,
                size: 26,
                space: 70,
                values: (a, u) => u.map(f => ge(f).replace(/\.\d+$/, ''))
              },
              {...r, size: 54, values: (a, u) => u.map(f => Oo(f))}
            ],
        series: [{}].concat(t.map((a, u) => ({
                                    label: a,
                                    stroke: i[u % i.length],
                                    width: 1.75,
                                    spanGaps: !0,
                                    points: {show: !1},
                                    dash: ll[Math.floor(u / 2) % ll.length],
                                    paths: s ? Ke.paths.stepped({align: 1}) : void 0
                                  }))),
        title: void 0, unit: e
  }
}
function su({store: e}) {
  return _`<div class="cards" tabindex="0" role="region" aria-label="Panels of programs">${
      e.panels.map(
          t => _`
    <section class="card wide" key=${t.id}><h2>${D(t.name)}</h2>
      <${rs} what="This panel"><${am} panel=${t} given=${
              e.panelData.get(t.id)} /><//></section>`)}</div>`
}
function am({panel: e, given: t}) {
  let n = t?.data;
  return t?.error ? _`<p class="bad">${F(t.error)}</p>` :
      e.view === 'script' ? _`<${hm} panel=${e} data=${n} />` :
      n === void 0       ? _`<p class="note">The program has given no data yet.</p>` :
      e.view === 'table' ? _`<${cm} data=${n} />` :
      e.view === 'series' ? _`<${um} panel=${e} data=${n} />` :
      e.view === 'graph' ? _`<${fm} data=${n} />` :
                           _`<pre class="content">${
                               typeof n == 'string' ? F(n) : F(JSON.stringify(n, null, 2))}</pre>`
}
function cm({data: e}) {
  let t = Array.isArray(e) ? e : e.rows ?? [],
      n = e.columns ?? [...new Set(t.slice(0, 100).flatMap(l => Object.keys(l ?? {})))],
      s = (l, i, r) => Array.isArray(l) ? l[r] : l?.[i],
      o = l => typeof l == 'number' ? I(l) :
      typeof l == 'object' && l     ? JSON.stringify(l) :
                                      F(l);
  return _`<div class="plain-scroll" tabindex="0" role="region" aria-label="Table of the panel"><table class="plain">
    <thead><tr>${n.map(l => _`<th>${F(l)}</th>`)}</tr></thead>
    <tbody>${
      t.slice(0, 500).map(
          l => _`<tr>${n.map((i, r) => _`<td>${o(s(l, i, r))}</td>`)}</tr>`)}</tbody></table>
    ${t.length > 500 && _`<p class="note">${I(t.length - 500)} more rows are not shown.</p>`}</div>`
}
function um({panel: e, data: t}) {
  let n = (t.lines ?? []).slice(0, 8), s = Array.isArray(t.at) ? t.at : [];
  return _`<${bs} title=${e.name} unit=${t.unit} labels=${n.map(([o]) => String(o))}
    data=${[s, ...n.map(([, o]) => o)]} />`
}
function fm({data: e}) {
  let t = (e.links ?? []).slice(0, 200),
      n = [...new Set(t.flatMap(([o, l]) => [o, l]))].slice(0, 40), s = o => {
        let l = 2 * Math.PI * n.indexOf(o) / Math.max(1, n.length) - Math.PI / 2;
        return [300 + 230 * Math.cos(l), 130 + 100 * Math.sin(l)]
      };
  return _`<svg class="small-graph" viewBox="0 0 600 270" role="img" aria-label=${
          `Graph with ${n.length} nodes and ${t.length} links`}>
    ${t.filter(([o, l]) => n.includes(o) && n.includes(l)).map(([o, l]) => _`
      <line class="edge" x1=${s(o)[0]} y1=${s(o)[1]} x2=${s(l)[0]} y2=${s(l)[1]} />`)}
    ${
      n.map(
          o => _`<g><circle class="vertex" cx=${s(o)[0]} cy=${s(o)[1]} r="6" />
      <text x=${s(o)[0]} y=${s(o)[1] + 20} text-anchor="middle">${
              D(o).slice(0, 20)}</text></g>`)}</svg>`
}
function hm({panel: e, data: t}) {
  let n = pe(),
      s = () => n.current?.contentWindow?.postMessage({is: 'panel', id: e.id, data: t}, '*');
  return xe(s, [t]),
         _`<iframe ref=${n} class="panel-frame" sandbox="allow-scripts" title=${D(e.name)}
    src=${`/panel/${encodeURIComponent(e.id)}`} onLoad=${s}></iframe>`
}
var Di = 12;
function ou({app: e, store: t}) {
  let n = e.load, [, s] = Q(0), o = i => {
    Object.assign(n, i), s(r => r + 1)
  }, l = [['series', 'Series'], ['agents', 'Agents'], ['links', 'Links'], ['values', 'All values']];
  return t.panels.length && l.push(['panels', 'Panels']),
         _`<div class="page load-page">
    <div class="tools">
      <${as} label="View" value=${n.view} options=${l} onChange=${i => o({
                                                                    view: i
                                                                  })} />
      ${(n.view === 'series' || n.view === 'values') && _`<${Re} label="Metrics" width="160px"
        value=${n.names} placeholder="part of a name" onInput=${i => o({
                                                                  names: i
                                                                })} />`}
      <span class="grow"></span>
      <span class="note held">${I(t.series.metrics.size)} metrics${
             t.series.refused ? `, ${I(t.series.refused)} values beyond the limit` : ''}</span>
    </div>
    ${n.view === 'series' && _`<${pm} store=${t} names=${n.names} />`}
    ${n.view === 'agents' && _`<${dm} app=${e} store=${t} />`}
    ${n.view === 'links' && _`<${mm} store=${t} />`}
    ${n.view === 'values' && _`<${gm} store=${t} names=${n.names} />`}
    ${n.view === 'panels' && _`<${su} app=${e} store=${t} />`}
  </div>`
}
function lu(e, t) {
  return [...e.series.metrics.values()]
      .filter(s => e.series.lines.has(s.name))
      .filter(s => !t || s.name.includes(t))
}
function pm({store: e, names: t}) {
  let n = lu(e, t);
  return n.length ?
      _`<div class="cards charts" tabindex="0" role="region" aria-label="Series of metrics">
    ${n.slice(0, Di).map(s => {
        let o = e.series.joined(s.name, 6);
        return _`<section class="card" key=${s.name} title=${D(s.help)}>
        <${bs} title=${s.name} unit=${s.unit} ...${o} />
        <p class="note more">${
            o.more > 0 ? `${I(o.more)} lower lines are not drawn` : D(s.help)}</p></section>`
      })}
    ${
          n.length > Di &&
          _`<p class="note">${I(n.length - Di)} more metrics; narrow the names to see them.</p>`}
  </div>` :
      _`<${ht} title="No values yet">Values of the society's metrics come once a second.<//>`
}
function dm({app: e, store: t}) {
  let n = [...t.series.metrics.values()].filter(o => o.of === 'agent').slice(0, 5), s = [
    {
      key: 'name',
      title: 'Agent',
      width: 'minmax(160px, 2fr)',
      least: 160,
      value: o => o.name,
      show: o => _`<a href=${e.link('agent', o.name)} tabindex="-1">${D(o.name)}</a>`
    },
    {key: 'node', title: 'Node', width: '110px', value: o => Ks(t, o.node)}, {
      key: 'queue',
      title: 'Queue',
      width: '90px',
      number: !0,
      value: o => o.queue ?? 0,
      show: o => I(o.queue ?? 0)
    },
    {
      key: 'errors',
      title: 'Errors',
      width: '90px',
      number: !0,
      value: o => o.errors ?? 0,
      show: o => I(o.errors ?? 0)
    },
    ...n.map(o => ({
               key: `m ${o.name}`,
               title: D(o.name),
               number: !0,
               least: 120,
               value: l => t.series.last(o.name, l.name),
               show: l => I(t.series.last(o.name, l.name))
             }))
  ];
  return _`<${si} app=${e} store=${t} agents=${[...t.agents.values()]} columns=${s}
    label="Load of agents" initial=${{
    key: 'queue', down: !0
  }
  } />`
}
function mm({store: e}) {
  let t = [...e.series.metrics.values()].filter(s => s.of === 'link'),
      n = new Set(t.flatMap(s => [...e.series.lines.get(s.name)?.keys() ?? []]));
  return n.size ?
      _`<${Vs} label="Links" rows=${[...n]} keyOf=${s => s}
    columns=${
              [{
                key: 'link',
                title: 'Link',
                width: 'minmax(160px, 2fr)',
                least: 160,
                value: s => s,
                show: D
              },
               ...t.map(s => ({
                          key: s.name,
                          title: `${D(s.name)}${s.unit ? ` (${D(s.unit)})` : ''}`,
                          number: !0,
                          least: 130,
                          value: o => e.series.last(s.name, o),
                          show: o => I(e.series.last(s.name, o))
                        }))]} />` :
      _`<${
          ht} title="No links">Links between nodes are listed here with their round trip, capacity and compression.<//>`
}
function gm({store: e, names: t}) {
  let n = [];
  for (let s of lu(e, t))
    for (let [o, l] of e.series.lines.get(s.name)) n.push({metric: s, label: o, line: l});
  return _`<${Vs} label="All values" rows=${n} keyOf=${s => s.label} columns=${
          [{
            key: 'metric',
            title: 'Metric',
            width: 'minmax(160px, 2fr)',
            least: 160,
            value: s => s.metric.name,
            show: s => D(s.metric.name)
          },
           {key: 'label', title: 'Of', value: s => s.label, show: s => D(s.label), least: 120}, {
             key: 'value',
             title: 'Value',
             number: !0,
             width: '110px',
             value: s => s.line.value.at(-1),
             show: s => I(s.line.value.at(-1))
           },
           {key: 'unit', title: 'Unit', width: '110px', value: s => D(s.metric.unit)}, {
             key: 'points',
             title: 'Points',
             number: !0,
             width: '80px',
             value: s => s.line.at.length
           },
           {
             key: 'help',
             title: 'Meaning',
             width: 'minmax(160px, 3fr)',
             least: 160,
             value: s => D(s.metric.help)
           }]} />`
}
function iu({app: e, decision: t}) {
  let n = t.ballots ?? [], s = t.members ?? [], o = t.tally ?? $m(n),
      l = Math.max(1, ...o.map(([, r]) => r)), i = new Set(n.map(r => r.from));
  return _`
    <p class="verdict">${
      t.winner !== void 0 && t.winner !== '' ? _`Decided: <b>${F(t.winner)}</b>` :
          t.ties?.length ? _`<span class="bad">Tie between ${t.ties.map(F).join(' and ')}</span>` :
                           `${I(i.size)} of ${I(s.length || i.size)} have voted`}
      ${t.rule && _`<span class="note"> Rule: ${D(t.rule)}</span>`}
      ${t.round > 1 && _`<span class="note"> Round ${I(t.round)}</span>`}</p>
    <section class="card"><h2>Tally</h2>${o.slice(0, 50).map(([r, a], u) => _`
      <${_m} key=${u} label=${r} value=${a} most=${l}
        strong=${r === t.winner} />`)}</section>
    <section class="card"><h2>Ballots</h2><table class="plain"><thead><tr><th>Voter</th><th>Choice</th><th>At</th></tr></thead>
      <tbody>${n.slice(0, 200).map((r, a) => _`<tr key=${a}>
        <td><a href=${e.link('agent', r.from)}>${F(r.from)}</a></td>
        <td>${F(r.choice)}</td><td><time>${ge(r.at)}</time></td></tr>`)}
      ${
      s.filter(r => !i.has(r))
          .slice(0, 200)
          .map(
              r => _`<tr>
        <td><a href=${e.link('agent', r)}>${
                  F(r)}</a></td><td class="note">has not voted</td><td></td></tr>`)}
      </tbody></table></section>`
}
function $m(e) {
  let t = new Map;
  for (let n of e) t.set(n.choice, (t.get(n.choice) ?? 0) + 1);
  return [...t].sort((n, s) => s[1] - n[1])
}
function _m({label: e, value: t, most: n, strong: s}) {
  return _`<div class=${`bar${s ? ' strong' : ''}`}><span class="bar-label">${F(e)}</span>
    <span class="bar-track" aria-hidden="true"><span style=${{
    transform: `scaleX(${(t / n).toFixed(3)})`
  }
  }></span></span>
    <b>${I(t)}</b></div>`
}
function ru({app: e, store: t, decision: n}) {
  let s = n.bids ?? [], o = s.map(a => a.value).filter(a => typeof a == 'number'),
      l = Math.max(1e-9, ...o.map(Math.abs)), i = [].concat(n.awarded ?? []),
      r = n.lease !== void 0 ? n.lease - t.time() : void 0;
  return _`
    <p class="verdict">Client <a href=${e.link('agent', n.client)}>${F(n.client)}</a>${' '}
      ${i.length ? _`awards to <b>${i.map(F).join(', ')}</b>` : _`<span>has not awarded yet</span>`}
      ${
      r !== void 0 &&
      _`<span class="note"> lease ${r > 0 ? `ends in ${Xe(r)}` : 'has ended'}</span>`}</p>
    <section class="card"><h2>Bids</h2>
      ${!s.length && _`<p class="bad">Nobody has bid.</p>`}
      <table class="plain"><thead><tr><th>Bidder</th><th>Bid</th><th><span class="hidden">Size of the bid</span></th><th>At</th><th>State</th></tr></thead>
      <tbody>${
      s.slice(0, 200).map(
          (a, u) => _`<tr key=${u} class=${i.includes(a.from) ? 'won' : ''}>
        <td><a href=${e.link('agent', a.from)}>${F(a.from)}</a></td>
        <td>${typeof a.value == 'number' ? I(a.value) : F(a.value ?? a.text)}</td>
        <td class="bar-cell"><span class="bar-track" aria-hidden="true"><span style=${{
            transform:
                `scaleX(${typeof a.value == 'number' ? (Math.abs(a.value) / l).toFixed(3) : 0})`
          }}></span></span></td>
        <td><time>${ge(a.at)}</time></td>
        <td>${i.includes(a.from) ? 'awarded' : D(a.state) || 'not chosen'}</td></tr>`)}
      ${
      (n.refusals ?? [])
          .slice(0, 200)
          .map(a => _`<tr><td><a href=${e.link('agent', a)}>${F(a)}</a></td>
        <td class="note">does not bid</td><td></td><td></td><td></td></tr>`)}</tbody></table></section>
    ${
      n.steps?.length > 0 &&
      _`<section class="card"><h2>Steps</h2><ol class="stages">${
          n.steps.slice(-100).map(
              (a, u) => _`
      <li key=${u}><span class="what">${F(a.what)}</span><time>${
                  ge(a.at)}</time></li>`)}</ol></section>`}`
}
function au({app: e, decision: t}) {
  let n = t.prices ?? [],
      s = [...new Set(n.map(a => a.length > 2 ? a[1] : t.goods ?? 'price'))].slice(0, 8),
      o = [...new Set(n.map(a => a[0]))].sort((a, u) => a - u),
      l = new Map(o.map((a, u) => [a, u])), i = s.map(() => new Array(o.length).fill(null));
  for (let a of n) {
    let u = i[a.length > 2 ? s.indexOf(a[1]) : 0];
    u && (u[l.get(a[0])] = a[a.length - 1])
  }
  let r = t.traders ?? [];
  return _`<p class="verdict">${
      t.clears ? _`The market clears at <b>${
                     typeof t.clears == 'number' ? I(t.clears) : F(t.clears)}</b>` :
                 'The prices still move'}
      ${t.excess !== void 0 && _`<span class="note"> excess demand ${I(t.excess)}</span>`}</p>
    ${o.length > 0 && _`<section class="card"><${bs} title="Prices" unit=${t.unit} height=${240}
      labels=${s.map(String)} data=${[o, ...i]} step=${!0} /></section>`}
    ${
      r.length > 0 &&
      _`<section class="card"><h2>Traders</h2><p class="members">${r.slice(0, 200).map(a => _`
      <a href=${e.link('agent', a.name)}>${F(a.name)}</a> `)}</p></section>`}`
}
var wm = 400, cu = 170, uu = 30;
function ym(e, t = wm) {
  let n = e.slice(0, t), s = new Map, o = new Set, l = [];
  for (let f of n)
    f.parent !== void 0 && f.parent !== null && o.has(f.parent) ?
        (s.has(f.parent) || s.set(f.parent, []), s.get(f.parent).push(f)) :
        l.push(f),
        o.add(f.id);
  let i = new Map, r = 0, a = 0, u = l.reverse().map(f => ({node: f, depth: 0, visited: !1}));
  for (; u.length;) {
    let f = u[u.length - 1], p = s.get(f.node.id) ?? [];
    if (!f.visited && p.length) {
      f.visited = !0;
      for (let k of [...p].reverse()) u.push({node: k, depth: f.depth + 1, visited: !1});
      continue
    }
    u.pop(), a = Math.max(a, f.depth);
    let d = p.map(k => i.get(k.id)?.y).filter(k => k !== void 0),
        m = d.length ? (Math.min(...d) + Math.max(...d)) / 2 : uu * (r++ + .7);
    i.set(f.node.id, {node: f.node, x: 20 + f.depth * cu, y: m})
  }
  for (let f of i.values()) f.parent = i.get(f.node.parent);
  return {
    places: [...i.values()], width: 40 + (a + 1) * cu, height: uu * (r + 1),
        left: e.length - n.length
  }
}
function fu({decision: e}) {
  let t = ym(e.tree ?? []), n = new Set(e.best ?? []), s = o => n.has(o.node.id);
  return _`<p class="verdict">${
      e.plan?.length ? _`Best plan: <b>${e.plan.map(F).join(', ')}</b>` :
                       'No plan has been agreed yet'}${
      e.value !== void 0 ? _`<span class="note"> value ${I(e.value)}</span>` : ''}</p>
    <div class="tree-scroll card" tabindex="0" role="region" aria-label="Game tree"><svg width=${
      t.width} height=${t.height} role="img"
      aria-label=${`Game tree with ${t.places.length} positions`}>
      ${
      t.places.filter(o => o.parent)
          .map(
              o => _`<path class=${
                  s(o)              ? 'edge best' :
                      o.node.pruned ? 'edge pruned' :
                                      'edge'}
        d=${
                                      `M${o.parent.x + 6} ${o.parent.y}C${o.parent.x + 70} ${
                                          o.parent.y} ${o.x - 70} ${o.y} ${o.x - 6} ${o.y}`} />`)}
      ${
      t.places.map(
          o => _`<g><circle class=${s(o) ? 'vertex best' : 'vertex'} cx=${o.x} cy=${o.y} r="5" />
        <text x=${o.x + 10} y=${o.y + 4}>${vm(o.node)}</text></g>`)}
    </svg></div>
    ${t.left > 0 && _`<p class="note">${I(t.left)} more positions are not drawn.</p>`}`
}
function vm(e) {
  let t = D(e.move ?? e.id).slice(0, 14),
      n = e.pruned       ? ' pruned' :
      e.value !== void 0 ? ` ${I(e.value)}` :
                           '';
  return `${t}${n}`
}
var zn = 20, oo = 44;
function bm(e, t) {
  let n = new Map;
  for (let s of e) {
    n.has(s.layer) || n.set(s.layer, []);
    let o = n.get(s.layer), l = o[o.length - 1];
    l && l.to === void 0 && (l.to = s.at), o.push({from: s.at, to: s.until, does: s.does, by: s.by})
  }
  for (let s of n.values())
    for (let o of s) o.to === void 0 && (o.to = t);
  return n
}
function hu({app: e, store: t, decision: n}) {
  let s = pe(), o = pe(), [l, i] = Q(0), r = t.time(),
      a = [...n.layers ?? []].sort((d, m) => (m.level ?? 0) - (d.level ?? 0)).slice(0, 40),
      u = bm(n.events ?? [], r), f = a.length * oo + 26;
  Tt(
      () => {
        let d = new ResizeObserver(() => i(s.current?.clientWidth ?? 0));
        return d.observe(s.current), () => d.disconnect()
      },
      []),
      xe(() => {l && Sm(cs(o.current, l, f), {layers: a, spans: u, now: r, width: l, height: f})});
  let p = a.map(d => [d, km(u.get(d.name), r)]);
  return _`<p class="verdict">${xm(p)}</p>
    <section class="card wide layers-card"><h2>Time-line of the last ${zn} s</h2>
      <div ref=${s} style=${{
    height: `${f}px`
  }
  }><canvas ref=${o} role="img"
        aria-label="Time-line of the layers; the table below says the present state"></canvas></div>
      <p class="legend"><span class="block acts"></span> acts <span class="block suppressed"></span> is suppressed
        <span class="block inhibited"></span> is inhibited</p></section>
    <section class="card wide"><table class="plain fixed"><thead><tr><th>Layer</th><th>Level</th><th>Now</th><th>By</th><th>Since</th></tr></thead>
      <tbody>${
      p.map(([d, m]) => _`<tr key=${d.name}>
        <td><a href=${e.link('agent', d.agent ?? d.name)}>${F(d.name)}</a></td><td>${
          d.level ?? ''}</td>
        <td class=${
          m?.does ===
          'suppressed' ? 'bad' : ''}>${F(m?.does) || 'quiet'}</td>
        <td>${F(m?.by)}</td><td>${
          m ? Xe(Math.max(0, r - m.from)) : ''}</td></tr>`)}</tbody></table></section>`
}
function km(e, t) {
  let n = e?.at(-1);
  return n && t - n.to < 1 ? n : void 0
}
function xm(e) {
  let t = e.filter(([, l]) => l?.does === 'suppressed' || l?.does === 'inhibited');
  if (!t.length) return 'No layer is suppressed now.';
  let [n, s] = t[0], o = t.length > 1 ? ` and ${I(t.length - 1)} more` : '';
  return `${F(s.by) || 'A higher layer'} suppresses ${F(n.name)}${o}.`
}
function Sm(e, {layers: t, spans: n, now: s, width: o, height: l}) {
  let i = Ut(), r = Math.min(130, o / 3), a = u => r + (o - r - 8) * Math.max(0, (u - s + zn) / zn);
  e.font = '12px system-ui, -apple-system, "Liberation Sans", sans-serif', t.forEach((u, f) => {
    let p = f * oo;
    e.fillStyle = i.text, e.textAlign = 'left',
    e.fillText(D(u.name).slice(0, 20), 0, p + 24, r - 10), e.strokeStyle = i.lane,
    e.strokeRect(r + .5, p + 6.5, o - r - 9, oo - 14);
    for (let d of n.get(u.name) ?? []) {
      if (d.to < s - zn) continue;
      let m = a(d.from), k = Math.max(2, a(d.to) - m);
      e.fillStyle = d.does === 'acts' ? i.accent :
          d.does === 'suppressed'     ? i.refused :
                                        i.expired,
      e.globalAlpha = d.does === 'acts' ? .85 : .55, e.fillRect(m, p + 7, k, oo - 15),
      e.globalAlpha = 1, d.does !== 'acts' && Mm(e, m, p + 7, k, oo - 15, i.surface)
    }
  }),
  e.fillStyle = i.muted;
  for (let u = 0; u <= zn; u += 5) {
    let f = s - zn + u;
    f < 0 ||
        (e.textAlign = u === zn ? 'right' :
             u === 0            ? 'left' :
                                  'center',
         e.fillText(ge(f).slice(0, -4), a(f), l - 8))
  }
}
function Mm(e, t, n, s, o, l) {
  e.save(), e.beginPath(), e.rect(t, n, s, o), e.clip(), e.strokeStyle = l, e.beginPath();
  for (let i = t - o; i < t + s; i += 7) e.moveTo(i, n + o), e.lineTo(i + o, n);
  e.stroke(), e.restore()
}
function pu({app: e, decision: t}) {
  let n = t.stages ?? [], s = n.reduce((o, l) => so(l) > so(o) ? l : o, n[0] ?? {});
  return _`<p class="verdict">${
      so(s) > .8 ? _`<b>${F(s.name)}</b> is the narrow place: ${
                       Ie(s.queue, 'unit waits', 'units wait')} for it.` :
                   'No stage holds the others up.'}</p>
    <div class="pipeline">${
      n.slice(0, 60).map(
          (o, l) => _`<section class="stage card" key=${l}>
      <h2><a href=${e.link('agent', o.name)}>${F(o.name)}</a></h2>
      <div class="tank" aria-hidden="true"><span class=${so(o) > .8 ? 'full' : ''} style=${
              { transform: `scaleY(${so(o).toFixed(3)})` }}></span></div>
      <p>${I(o.queue ?? 0)} waiting</p>
      <p class="note">${o.rate !== void 0 ? `${I(Math.round(o.rate))}/s, ` : ''}${
              o.done !== void 0 ? `${I(o.done)} sent` : ''}</p>
    </section>${l < n.length - 1 ? _`<span class="pipe" aria-hidden="true">→</span>` : ''}`)}</div>`
}
function so(e) { return Math.min(1, e.share ?? 0) }
var ks = {
  __proto__: null,
  council: {title: 'Councils', one: 'Council', show: iu},
  contract: {title: 'Contracts', one: 'Contract', show: ru},
  market: {title: 'Markets', one: 'Market', show: au},
  game: {title: 'Games', one: 'Game tree', show: fu},
  layers: {title: 'Layers', one: 'Layers', show: hu},
  pipeline: {title: 'Pipelines', one: 'Pipeline', show: pu}
},
    Ri = 200;
function mu({app: e, store: t}) {
  let n = e.decisions, [, s] = Q(0),
      o =
          p => {
            Object.assign(n, p), s(d => d + 1)
          },
      l = [...t.decisions.values()].filter(p => ks[p.kind]).reverse(),
      i = l.filter(p => p.kind === 'pipeline'),
      r = l.filter(p => p.kind !== 'pipeline').concat(Gr(i)).sort((p, d) => d.at - p.at),
      a = Object.keys(ks).filter(p => r.some(d => d.kind === p)),
      u = r.filter(
          p => (n.kind === 'all' || p.kind === n.kind) &&
              (!n.text || `${p.id} ${p.what}`.includes(n.text)));
  (!n.pinned || !r.some(p => xs(p) === n.chosen)) &&
      (u.some(p => xs(p) === n.chosen) || (n.chosen = u[0] && xs(u[0])));
  let f = r.find(p => xs(p) === n.chosen);
  return r.length ?
      _`<div class="page decisions-page">
    <div class="tools">
      <${as} label="Kind" value=${n.kind} onChange=${p => o({
                                                       kind: p
                                                     })}
        options=${[['all', 'All'], ...a.map(p => [p, ks[p].title])]} />
      <${Re} label="Find" value=${n.text} width="150px" onInput=${p => o({
                                                                    text: p
                                                                  })} />
      <span class="grow"></span><span class="note held">${I(u.length)} of ${I(r.length)}</span>
    </div>
    <div class="decisions">
      <nav class="decision-list" aria-label="Decisions">${u.slice(0, Ri).map((p, d) => _`
        <button key=${d} aria-current=${xs(p) === n.chosen} onClick=${() => o({
                                                                               chosen: xs(p),
                                                                               pinned: !0
                                                                             })}>
          <b>${D(p.what) || D(p.id)}</b>
          <small>${ks[p.kind].one} · ${ge(p.at)} · ${du(p)}</small></button>`)}
        ${u.length > Ri && _`<p class="note">${I(u.length - Ri)} older ones are not listed.</p>`}
      </nav>
      ${
          f &&
          _`<article class="decision" tabindex="0" role="region" aria-label="The chosen decision">
        <h2 class="title">${D(f.what) || D(f.id)}</h2>
        <p class="note">${ks[f.kind].one} ${D(f.id)}, ${ge(f.at)}, ${du(f)}</p>
        ${f.why && _`<p class="bad">${F(f.why)}</p>`}
        <${ks[f.kind].show} key=${n.chosen} app=${e} store=${t} decision=${f} /></article>`}
    </div>
  </div>` :
      _`<div class="page"><${ht} title="No decision yet">Councils, contract nets, markets, games,
      layers and pipelines appear here as their messages are overheard.<//></div>`
}
function xs(e) {
  return `${e.kind}
${e.id}`
}
function du(e) {
  return e.state ? D(e.state) : e.kind === 'layers' || e.kind === 'pipeline' ? 'running' : 'open'
}
var Tm = [
  ['0.1', '0.1 ×'], ['0.5', '0.5 ×'], ['1', '1 ×'], ['2', '2 ×'], ['5', '5 ×'], ['20', '20 ×'],
  ['100', '100 ×']
];
function $u({app: e, store: t, name: n}) {
  let s = e.time, [, o] = Q(0), l = r => {
    Object.assign(s, r), o(a => a + 1)
  };
  return t.recorded ? _`<div class="page time-page">
    <${Am} store=${t} state=${s} change=${l} tell=${
                          (r, a) => e.ask(r, a).then(() => l({sentence: ''}), u => l({
                                                                                sentence: u.message
                                                                              }))} />
    ${s.sentence && _`<p class="whynot wide" role="status">${s.sentence}</p>`}
    ${n ? _`<${Em} app=${e} store=${t} n=${Number(n)} />` : _`<${zo} app=${e} store=${t} />`}
  </div>` :
                      _`<div class="page"><${ht} title="This is a live society">
      The time machine plays recordings. Record a society with a recording file, then start
      ${' '}<code>coracle view --recording run.db</code>.<//></div>`
}
function Am({store: e, state: t, change: n, tell: s}) {
  let o = e.player ?? {at: 0, speed: 0}, l = e.hello.length ?? 0, i = o.speed > 0 && !o.ended,
      r = t.speed ?? '1';
  return _`<div class="player" role="group" aria-label="Player">
    <div class="tools">
      <button onClick=${() => s('seek', {
                          error: -1
                        })}>◂ Error</button>
      <button onClick=${() => s('step', {
                          by: -1
                        })}>◂ Step</button>
      <button class="primary" onClick=${() => i ? s('pause') : s('play', {
                                          speed: Number(r)
                                        })}>
        ${i ? 'Pause' : 'Play'}</button>
      <button onClick=${() => s('step', {
                          by: 1
                        })}>Step ▸</button>
      <button onClick=${() => s('seek', {
                          error: 1
                        })}>Error ▸</button>
      <${Bl} label="Speed" value=${r} options=${Tm} onChange=${a => {
    n({speed: a}), i && s('play', {speed: Number(a)})
  }} />
      <span class="grow"></span>
      <output class="held">${`${ge(o.at)} of ${ge(l)}${o.ended ? ' (end)' : ''}`}</output>
    </div>
    <input class="timeline" type="range" min="0" max=${l || 1} step="any" value=${o.at}
      aria-label="Place in the recording" aria-valuetext=${`${ge(o.at)} of ${ge(l)}`}
      onChange=${a => s('seek', {
                   at: Number(a.target.value)
                 })} />
  </div>`
}
function Em({app: e, store: t, n}) {
  let s = t.messages.find(n), [o, l] = Q('drop'), [i, r] = Q(s?.text ?? ''), [a, u] = Q('1'),
      [f, p] = Q(null), d = async () => {
        p({busy: !0});
        let k = {n, change: o};
        o === 'delay' && (k.seconds = Number(a)), o === 'text' && (k.text = i);
        try {
          p({result: await e.ask('replay', k)})
        } catch (x) {
          p({error: x.message})
        }
      }, m = t.hello?.replay;
  return m !== !0 ?
      _`<div class="replay"><div class="tools"><a class="button" href=${
          e.link('time')}>Back to the recording</a></div>
      <${ht} title="This recording cannot be replayed here">${
          F(m ?? 'The server of this page has no replays.')}<//></div>` :
      _`<div class="replay">
    <div class="tools">
      <a class="button" href=${e.link('time')}>Back to the recording</a>
      <span>Message ${I(n)}: ${
          s ? `${D(s.from)} → ${D(s.to)} ${Yt(s.type)}` : 'is not held any more'}</span>
      <${Bl} label="Replay with" value=${o} onChange=${l}
        options=${
              [['drop', 'the message dropped'], ['delay', 'the message delayed'],
               [
                 'text', 'another text'
               ]]} />
      ${
          o === 'delay' &&
          _`<${Re} label="Seconds" value=${a} onInput=${u} width="80px" type="number" />`}
      ${o === 'text' && _`<${Re} label="Text" value=${i} onInput=${r} width="220px" type="text" />`}
      <button class="primary" disabled=${f?.busy} onClick=${d}>Replay</button>
      <span class="note" role="status">${f?.busy ? 'The simulator replays it.' : ''}</span>
    </div>
    ${f?.error && _`<p class="whynot wide">${f.error}</p>`}
    ${f?.result && _`<${Pm} result=${f.result} />`}
    ${!f && _`<${ht} title="The difference appears here">The recording is played again in the
      simulator with this change. Both runs are shown side by side.<//>`}
  </div>`
}
function Pm({result: e}) {
  let [t, n] = Q(!1), s = (e.lines ?? []).filter(o => !t || !o.same);
  return _`<p class="tools"><b>${
      e.differs ? `${Ie(e.differs, 'line differs', 'lines differ')}.` : 'Nothing differs.'}</b>
      <button class="toggle" aria-pressed=${t} onClick=${() => n(!t)}>Only differences</button></p>
    ${e.note && _`<p class="whynot wide" role="status">With the change, ${F(e.note)}</p>`}
    <div class="plain-scroll" tabindex="0" role="region" aria-label="Difference of the two runs"><table class="plain difference">
      <thead><tr><th>Recorded</th><th><span class="hidden">Comparison</span></th><th>With the change</th></tr></thead>
      <tbody>${
      s.slice(0, 1e3).map(
          o => _`<tr class=${o.same ? '' : 'differs'}>
        <td>${
              o.before ? _`<${gu} message=${o.before} />` :
                         _`<span class="note">not sent</span>`}</td>
        <td>${
              o.same       ? '=' :
                  o.before ? o.after ? '≠' : '−' :
                             '+'}</td>
        <td>${
              o.after ? _`<${gu} message=${o.after} />` :
                        _`<span class="note">not sent</span>`}</td></tr>`)}</tbody>
    </table></div>`
}
function gu({message: e}) {
  return _`<time>${ge(e.at)}</time> ${F(e.from)} → ${F(e.to)}
    ${' '}<b>${Yt(e.type)}</b> ${D(e.text)}
    <span class="note"> ${Gt[Xt(e)].word}</span>`
}
var wu = {sequence: zo, society: Aa, agent: Ea, load: ou, decisions: mu, time: $u}, Cm = {
  sequence: 'Sequence of messages',
  society: 'Society',
  load: 'Load and metrics',
  decisions: 'Decisions',
  time: 'Time machine'
},
    Lm = 1e3;
function Om() {
  let e = new URL('feed', location.href);
  return e.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:', e.hash = '', e.href
}
var Fi = class {
  constructor() {
    this.store = new Lo, this.sequence = new Fo(this.store),
    this.society = {view: 'map', names: '', waiting: !1}, this.load = {view: 'series', names: ''},
    this.decisions = {kind: 'all', text: '', chosen: null, pinned: !1}, this.time = {sentence: ''},
    this.selected = null, this.show = Jl,
    this.feed =
        new Ao({url: Om(), onFrame: t => this.take(t), onState: (t, n) => this.connection(t, n)})
  }
  connection(t, n) {
    this.store.setConnection(t, n),
        t === 'lost' && fetch(location.pathname, {cache: 'no-store'}).then(async s => {
          if (s.status !== 401 && s.status !== 403) return;
          let o = (await s.text()).slice(0, 300);
          this.store.setConnection(
              'lost',
              o.startsWith('<') ?
                  'The server refuses this page. Open the address that coracle view prints.' :
                  o)
        }, () => {})
  }
  take(t) {
    let n = t.is === 'batch' && t.all && this.store.recorded;
    this.store.take(t), (t.is === 'hello' || n) && this.greet()
  }
  async greet() {
    this.selected && this.select(this.selected);
    let t = this.store.messages.limit, n = this.turn = (this.turn ?? 0) + 1, s;
    for (let o = 0; o < t && n === this.turn;) {
      let l;
      try {
        l = await this.ask('history', {before: s, count: Lm})
      } catch {
        return
      }
      let i = l?.messages ?? [];
      if (!i.length || n !== this.turn) return;
      o += i.length, s = Math.min(...i.map(a => a.n));
      let r = this.fill(i);
      if (this.store.changed(), !l.more || r === 0) return;
      await new Promise(a => setTimeout(a, 30))
    }
  }
  fill(t) {
    let n = this.store.messages, s = t.filter(o => o.n > n.last);
    return s.length && n.last && n.append(s.sort((o, l) => o.n - l.n)), n.prepend(t) + s.length
  }
  ask(t, n) { return this.feed.ask(t, n) }
  select(t) {
    let n = l => String(l ?? '').split(/[\s,]+/).filter(Boolean),
        s = Object.values(t).some(Boolean);
    if (!this.store.messages.folded && !this.selected) return;
    !s && this.selected &&
        this.store.messages.gap({at: this.store.now, missed: -1, why: 'narrowed'}),
        this.selected = s ? t : null;
    let o = {
      names: n(t.names),
      types: n(t.types),
      conversation: t.conversation || void 0,
      text: t.text || void 0
    };
    this.ask('select', o).catch(() => {})
  }
  link(t, n) { return `#/${t}${n === void 0 ? '' : `/${encodeURIComponent(n)}`}` }
  go(t, n) { location.hash = this.link(t, n) }
  redraw() { this.store.changedNow() }
};
function _u() {
  let [, e, ...t] = location.hash.split('/'), n = t.join('/');
  try {
    n = decodeURIComponent(n)
  } catch {
    n = ''
  }
  return { page: Object.hasOwn(wu, e) ? e : 'sequence', name: n }
}
function Nm({app: e}) {
  let [t, n] = Q(_u()), [, s] = Q(0);
  xe(() => {
    let l = () => n(_u()), i = () => {
      jr(), s(f => f + 1)
    }, r = matchMedia('(prefers-color-scheme: dark)');
    addEventListener('hashchange', l), addEventListener('themechange', i),
        r.addEventListener('change', i);
    let a = e.store.subscribe(() => s(f => f + 1)), u = setInterval(() => s(f => f + 1), 1e3);
    return () => {
      removeEventListener('hashchange', l), removeEventListener('themechange', i),
          r.removeEventListener('change', i), clearInterval(u), a()
    }
  }, []), xe(() => {document.querySelector('main')?.scrollTo(0, 0)}, [t.page, t.name]);
  let o = wu[t.page];
  return _`<a class="skip" href="#main" onClick=${l => {
    l.preventDefault(), document.getElementById('main').focus()
  }}>Skip to the content</a>
    <${Jr} app=${e} store=${e.store} page=${t.page} />
    <main id="main" tabindex="-1">
      ${t.page !== 'agent' && _`<h1 class="hidden">${Cm[t.page]}</h1>`}<${rs} key=${
      t.page} what="This page"><${o}
      app=${e} store=${e.store} name=${t.name} /><//></main>`
}
var il = new Fi;
window.coracleView = {
  frames: () => il.sequence.position.frameMs,
  store: il.store
};
Hl(_`<${Nm} app=${il} />`, document.getElementById('app'));
il.feed.connect();

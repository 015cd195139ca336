/** SVGs as programs export them. All draw the same picture, of 200 × 100 units. */
export const exportedSvgs: Readonly<Record<string, string>> = {
  illustrator: `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 27.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Ebene_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px"
	 width="200px" height="100px" viewBox="0 0 200 100" style="enable-background:new 0 0 200 100;" xml:space="preserve">
<style type="text/css">
	.st0{clip-path:url(#SVGID_2_);}
	.st1{fill:#E30613;}
	.st2{fill:none;stroke:#00A651;stroke-width:10;stroke-linecap:round;stroke-linejoin:round;stroke-miterlimit:10;}
	.st3,.st4{fill:url(#SVGID_3_);}
	.st4{fill:#0000ff}
	.font{font-family:'MyriadPro-Regular';}
</style>
<metadata><sfw xmlns="&amp;ns_sfw;"><slices></slices></sfw></metadata>
<g id="Rahmen">
	<defs><rect id="SVGID_1_" width="200" height="100"/></defs>
	<clipPath id="SVGID_2_"><use xlink:href="#SVGID_1_"  style="overflow:visible;"/></clipPath>
	<g class="st0">
		<g>
			<path class="st1" d="M0,0h100v100H0V0z M40,40v20h20V40H40z"/>
			<polyline class="st2" points="120,20 140,40 160,20 "/>
		</g>
		<linearGradient id="SVGID_3_" gradientUnits="userSpaceOnUse" x1="110" y1="75" x2="150" y2="75" gradientTransform="matrix(1 0 0 -1 0 150)">
			<stop  offset="0" style="stop-color:#FFDE00"/>
			<stop  offset="1" style="stop-color:#FFDE00"/>
		</linearGradient>
		<rect x="110" y="60" class="st3" width="40" height="30"/>
		<circle class="st4" cx="180" cy="75" r="15"/>
	</g>
</g>
</svg>
`,
  inkscape: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="200mm" height="100mm" viewBox="0 0 200 100" version="1.1" id="svg5"
   inkscape:version="1.2.2 (b0a8486, 2022-12-01)" sodipodi:docname="logo.svg"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns:xlink="http://www.w3.org/1999/xlink"
   xmlns="http://www.w3.org/2000/svg" xmlns:svg="http://www.w3.org/2000/svg"
   xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <sodipodi:namedview id="namedview7" pagecolor="#ffffff" inkscape:zoom="1.4"><inkscape:grid type="xygrid" id="grid1"/></sodipodi:namedview>
  <metadata id="metadata1"><rdf:RDF><cc:Work rdf:about=""><dc:format>image/svg+xml</dc:format><dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage"/></cc:Work></rdf:RDF></metadata>
  <defs id="defs2">
    <linearGradient id="linearGradient1"><stop style="stop-color:#ffde00;stop-opacity:1" offset="0" id="stop1"/><stop style="stop-color:#ffde00;stop-opacity:1;" offset="1" id="stop2"/></linearGradient>
    <linearGradient inkscape:collect="always" xlink:href="#linearGradient1" id="linearGradient3" gradientUnits="userSpaceOnUse" x1="110" y1="75" x2="150" y2="75" gradientTransform="translate(-10,0)"/>
    <inkscape:path-effect effect="spiro" id="path-effect1"/>
  </defs>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1" transform="translate(10,10)">
    <path style="fill:#e30613;fill-opacity:1;fill-rule:evenodd;stroke:none;stroke-width:0.264583px;stroke-dasharray:none;font-variation-settings:normal;opacity:1"
       d="m -10,-10 h 100 v 100 h -100 z m 40,40 h 20 v 20 h -20 z" id="path1" sodipodi:nodetypes="ccccc"/>
    <g id="g2" transform="matrix(2,0,0,2,-10,-10)" style="stroke-width:5">
      <path style="fill:none;stroke:#00a651;stroke-linecap:round;stroke-linejoin:round;stroke-dasharray:none" d="m 60,10 10,10 10,-10" id="path2" inkscape:connector-curvature="0"/>
    </g>
    <rect style="fill:url(#linearGradient3);stroke:none" id="rect1" width="40" height="30" x="100" y="50"/>
    <path style="fill:#0000ff" id="path3" sodipodi:type="arc" d="m 185,65 a 15,15 0 0 1 -15,15 15,15 0 0 1 -15,-15 15,15 0 0 1 15,-15 15,15 0 0 1 15,15 z"/>
    <path style="display:none;filter:url(#no)" d="M0 0h999v999z"/>
  </g>
</svg>
`,
  figma: `<svg width="200" height="100" viewBox="0 0 200 100" fill="none" xmlns="http://www.w3.org/2000/svg">
<g clip-path="url(#clip0_1_2)">
<path fill-rule="evenodd" clip-rule="evenodd" d="M0 0H100V100H0V0ZM40 40V60H60V40H40Z" fill="#E30613"/>
<path d="M120 20L140 40L160 20" stroke="#00A651" stroke-width="10" stroke-linecap="round" stroke-linejoin="round"/>
<rect x="110" y="60" width="40" height="30" fill="url(#paint0_linear_1_2)"/>
<rect width="30" height="30" rx="15" transform="matrix(1 0 0 -1 165 90)" fill="blue" fill-opacity="1"/>
<g opacity="0"><text x="1" y="2">hidden?</text></g>
</g>
<defs>
<linearGradient id="paint0_linear_1_2" x1="110" y1="75" x2="150" y2="75" gradientUnits="userSpaceOnUse">
<stop stop-color="#FFDE00"/>
<stop offset="1" stop-color="#FFDE00"/>
</linearGradient>
<clipPath id="clip0_1_2">
<rect width="200" height="100" fill="white"/>
</clipPath>
</defs>
</svg>
`,
  plain: `<svg:svg xmlns:svg="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100%" height="100%" viewBox="-50 -25 100 50" preserveAspectRatio="xMinYMin meet">
  <svg:title>Logo</svg:title>
  <svg:defs>
    <svg:path id="s" d="M-50-25h50v50h-50zM-30-5v10h10v-10z"/>
    <svg:radialGradient id="base"><svg:stop offset="0%" stop-color="rgb(255,222,0)"/><svg:stop offset="100%" stop-color="rgb(100%,87.06%,0%)"/></svg:radialGradient>
    <svg:radialGradient id="g" cx="50%" cy="50%" r="75%" xlink:href="#base"/>
  </svg:defs>
  <svg:g fill="#e30613"><svg:use xlink:href="#s"/></svg:g>
  <svg:polyline points="10-15 20-5 30-15" fill="none" stroke="#00A651" stroke-width="5%" stroke-linecap="round" stroke-linejoin="round"/>
  <svg:g transform="translate(5 5)"><svg:rect width="20%" height="30%" fill="url(#g) red"/></svg:g>
  <svg:g color="blue"><svg:ellipse cx="40" cy="12.5" rx="7.5" ry="7.5" fill="currentColor" style="opacity: 1 !important"/></svg:g>
</svg:svg>
`,
};
